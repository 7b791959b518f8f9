import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isActive } from '../../model/recording.js'
import { NEW_TASK, VIEWS } from '../../model/routes.js'
import { innermost, isDialogOpen, setter, TEXT_FIELD } from '../../parts/hooks.js'
import { navigate, route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { toggleTheme } from '../../state/theme.js'
import { advance, advanceToNextEvent, toggleClock } from './clock-actions.js'

export const isHelpOpen = signal(false)
const setHelpOpen = setter(isHelpOpen)

/** The keys as the help shows them, what they do, and what the page does in every view; the rest is done by its parts. */
export const SHORTCUTS: readonly (readonly [
  keys: string,
  description: string,
  actions?: Readonly<Record<string, () => unknown>>,
])[] = [
  [
    '1 – 5',
    'tasks, requests, webhooks, findings, scenario',
    Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => navigate({ view })])),
  ],
  ['/', 'search tasks, requests or deliveries', { '/': search }],
  // In the composer, it would clear the form.
  ['c', 'create a task', { c: () => route.value.view !== NEW_TASK && navigate({ view: NEW_TASK }) }],
  ['Ctrl Enter', 'run the new task; apply the scenario'],
  ['j k or ↓ ↑', 'next and previous task, request or delivery'],
  ['Enter', 'open it'],
  ['Escape', 'back to the list; close this dialog'],
  ['p', 'pause or resume the clock', { p: toggleClock }],
  [
    '.  m  h',
    'advance by 10 seconds, 1 minute, 1 hour',
    { '.': () => advance('10s'), m: () => advance('1m'), h: () => advance('1h') },
  ],
  ['n', 'advance to the next event', { n: advanceToNextEvent }],
  ['Ctrl Space', 'suggest keys and values of the scenario'],
  ['d', 'switch between light and dark theme', { d: toggleTheme }],
  ['?', 'show this help', { '?': () => setHelpOpen(!isHelpOpen.value) }],
]

const ACTIONS: Readonly<Record<string, () => unknown>> = Object.fromEntries(
  SHORTCUTS.flatMap(([, , actions = {}]) => Object.entries(actions)),
)

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

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(TEXT_FIELD)
}
