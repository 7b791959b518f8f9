import { useEffect } from 'preact/hooks'
import { isActive } from '../../model/recording.js'
import { NEW_TASK, VIEWS } from '../../model/routes.js'
import { innermost } from '../../parts/hooks.js'
import { navigate, route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { toggleTheme } from '../../state/theme.js'
import { advance, advanceToNext, advanceToNextEvent, advanceUntilIdle, toggleClock } from './clock-actions.js'
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
  n: advanceToNextEvent,
  w: () => advanceToNext('webhook'),
  u: () => advanceToNext('url_expiry'),
  i: advanceUntilIdle,
  '/': search,
  // In the composer, it would clear the form.
  c: () => route.value.view !== NEW_TASK && navigate({ view: NEW_TASK }),
  ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => navigate({ view })])),
}

/** Handles the keys that work in every view. */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  const target = innermost(event)
  if (defaultPrevented || ctrlKey || metaKey || altKey) return
  if (key === 'Escape') {
    leave(target)
    return
  }
  if (isTextField(target) || (isDialogOpen() && !(isHelpOpen.value && key === '?'))) return
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
  if (action === undefined || !isActive(key, recording.value)) return
  event.preventDefault()
  action()
}

/** Leaves the focused field or, if no field has the focus, the open item. */
function leave(target: EventTarget | null): void {
  if (isDialogOpen()) return
  if (isTextField(target)) (target as HTMLElement).blur()
  else if (route.value.id !== undefined) {
    const { compare, ...query } = route.value.query
    navigate({ view: route.value.view, id: compare === undefined ? undefined : route.value.id, query })
    document.querySelector<HTMLElement>('[data-list]')?.focus()
  }
}

/** Focuses the search field in a microtask: after the page has rendered, and before the next key. */
function search(): void {
  if (!['tasks', 'requests', 'webhooks'].includes(route.value.view)) navigate({ view: 'tasks' })
  queueMicrotask(() => document.querySelector<HTMLElement>('[data-search]')?.focus())
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable=true]')
}
