import { useLayoutEffect, useRef } from 'preact/hooks'

/** Returns the ref of an element that is scrolled into view and focused when the address starts to name it. */
export function useAnchor<Of extends HTMLElement>(isNamed: boolean) {
  const element = useRef<Of>(null)
  useLayoutEffect(() => {
    if (!isNamed) return
    element.current?.scrollIntoView({ block: 'start' })
    element.current?.focus({ preventScroll: true })
  }, [isNamed])
  return element
}
