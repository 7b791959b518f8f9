import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Moves the focus to another element when the element with the focus disappears.
 * @param selector finds the other element
 * @returns the ref of a container of the element that may disappear, together with it
 */
export function useFocusLeftTo<Container extends HTMLElement>(selector: string) {
  const box = useRef<Container>(null)
  const hadFocus = box.current?.contains(document.activeElement) === true
  useLayoutEffect(() => {
    if (hadFocus && box.current === null) document.querySelector<HTMLElement>(selector)?.focus()
  })
  return box
}
