import { type Signal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { sandbox } from './route.js'

const NAME = 'tasksim-edits'
/** How many edits the tab keeps: the latest ones. */
const MOST = 20

interface Edit {
  /** What it began with. After a reset of the simulator, another request may have the same id. */
  readonly from: object
  readonly now: object
}

const edits = new Map<string, Edit>(JSON.parse(sessionStorage.getItem(NAME) ?? '[]'))

// Not with each key: a body may be long.
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...edits]))
  } catch {
    // There is no more space than for what is stored already.
  }
})

/** What a person edits, and the way back to what it began with. */
export interface Edited<Value> {
  readonly value: Value
  readonly isChanged: boolean
  change(part: Partial<Value>): void
  discard(): void
}

/**
 * Keeps what a person edits when the editor is left, until it is discarded.
 * @param name identifies what is edited
 * @param initialOf returns the texts with which the editor begins, by name
 */
export function useEdited<Source, Value extends object>(
  name: string,
  source: Source,
  initialOf: (source: Source) => Value,
): Edited<Value> {
  const key = `${sandbox.value ?? ''} ${name}`
  const initial = useMemo(() => initialOf(source), [source])
  const current: Signal<Value> = useMemo(() => {
    const kept = edits.get(key)
    return signal(kept !== undefined && isSame(kept.from, initial) ? (kept.now as Value) : initial)
  }, [key, initial])
  return {
    value: current.value,
    isChanged: !isSame(current.value, initial),
    change(part) {
      current.value = { ...current.peek(), ...part }
      edits.delete(key)
      edits.set(key, { from: initial, now: current.peek() })
      const [oldest = ''] = edits.keys()
      if (edits.size > MOST) edits.delete(oldest)
    },
    discard() {
      edits.delete(key)
      current.value = initial
    },
  }
}

function isSame(one: object, other: object): boolean {
  const others = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one).every(([name, text]) => others.get(name) === text)
}
