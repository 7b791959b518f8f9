import { useLayoutEffect } from 'preact/hooks'
import { sandbox } from '../state/route.js'

const positions = new Map<string, number>()

/** Returns to the scroll position that a list had when it disappeared, such as behind another view. */
export function useListPosition(box: { readonly current: HTMLElement | null }, name: string): void {
  useLayoutEffect(() => {
    const list = box.current
    if (list === null) return
    const key = `${sandbox.peek() ?? ''} ${name}`
    list.scrollTop = positions.get(key) ?? 0
    return () => positions.set(key, list.scrollTop)
  }, [])
}
