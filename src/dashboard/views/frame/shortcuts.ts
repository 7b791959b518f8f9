import { useEffect } from 'preact/hooks'
import { VIEWS } from '../../model/routes.js'
import { go, place } from '../../state/place.js'
import { toggleTheme } from '../../state/theme.js'
import { advance, toggleClock, toIdle, toNext } from './clock-actions.js'
import { isHelpOpen } from './help.js'

const ACTIONS: Readonly<Record<string, () => unknown>> = {
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value
  },
  d: toggleTheme,
  p: toggleClock,
  '.': () => advance('10s'),
  m: () => advance('1m'),
  h: () => advance('1h'),
  n: toNext,
  i: toIdle,
  '/': search,
  ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => go({ view })])),
}

/** Listens for the keys that work everywhere on the page. */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey) return
  if (key === 'Escape') {
    leave(target)
    return
  }
  if (isWritten(target) || (isHelpOpen.value && key !== '?')) return
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
  if (action === undefined) return
  event.preventDefault()
  action()
}

/** Out of a field first, then out of what is open. */
function leave(target: EventTarget | null): void {
  if (isHelpOpen.value) return
  if (isWritten(target)) (target as HTMLElement).blur()
  else if (place.value.id !== undefined) {
    go({ view: place.value.view })
    document.querySelector<HTMLElement>('[data-list]')?.focus()
  }
}

/** Focuses the search field before the next key arrives: in a microtask, which follows the one that renders. */
function search(): void {
  if (place.value.view !== 'tasks') go({ view: 'tasks' })
  queueMicrotask(() => document.querySelector<HTMLElement>('[data-search]')?.focus())
}

function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}
