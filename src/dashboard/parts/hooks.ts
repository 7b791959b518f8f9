import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Measures an element.
 * @returns its ref, and its width and height in pixels
 */
export function useSize() {
  const box = useRef<HTMLDivElement>(null)
  const size = useSignal({ width: 600, height: 600 })
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) size.value = entry.contentRect
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, size.value] as const
}

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

/** A handler that sets a signal to a value. */
export function setTo<Value>(target: Signal<Value>, value: Value): () => void {
  return () => {
    target.value = value
  }
}

/** A handler that sets a signal to what it gets. */
export function setter<Value>(target: Signal<Value>): (value: Value) => void {
  return (value) => {
    target.value = value
  }
}

/** The value of a signal, and a handler that sets it, for a field. */
export function bound<Value>(target: Signal<Value>) {
  return { value: target.value, onChange: setter(target) }
}

/** The element that an event is about, also in a shadow tree, as that of a text editor is. */
export function innermost(event: Event): EventTarget | null {
  return event.composedPath()[0] ?? event.target
}

/** What takes the keys of a text. */
export const TEXT_FIELD = 'input:not([type=radio]), textarea, select, [contenteditable=true]'

/** Whether a modal dialog takes all keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
