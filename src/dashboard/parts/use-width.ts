import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Measures an element.
 * @returns its ref, and its width in pixels: at least `least`
 */
export function useWidth<Of extends HTMLElement>(least: number) {
  const box = useRef<Of>(null)
  const width = useSignal(600)
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) width.value = Math.max(least, entry.contentRect.width)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width.value] as const
}
