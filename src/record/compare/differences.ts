import { isoTime } from '../../engine/clock/instants.js'
import type { Misfit } from './fit.js'

/** Where something differs. */
export interface ComparedPart {
  /** The number of the exchange; the first one is 1. */
  readonly number: number
  /** When its request was sent, in epoch milliseconds. */
  readonly at: number
  /** The method and the path of the operation, also with the name of an event of its stream; or `webhook`. */
  readonly operation: string
  /** The number of the event in a stream; the first one is 1. */
  readonly event?: number | undefined
  /** The state of the task. */
  readonly state?: string | undefined
}

/** Where one exchange differs. */
interface Occurrence {
  /** The number of the exchange; the first one is 1. */
  readonly exchange: number
  /** When its request was sent: ISO 8601. */
  readonly at: string
  /** The number of the event in a stream; the first one is 1. */
  readonly event?: number
  /** The field with the indexes of lists, such as `data[0].output`. */
  readonly field: string
  readonly got: string
}

/** A difference between a service and a dialect, and where it was seen. */
export interface Difference {
  readonly kind: Misfit['kind']
  readonly operation: string
  /** The field, such as `data[].output`; the name of a header; empty for the answer as a whole. */
  readonly field: string
  /** The states of the tasks that had it. */
  readonly states: readonly string[]
  readonly expected: string
  readonly got: string
  readonly count: number
  /** The first of them. */
  readonly occurrences: readonly Occurrence[]
}

const MOST_OCCURRENCES = 10
/** Further differences are left out: answers with ids as the names of fields have one for each id. */
export const MOST_DIFFERENCES = 1_000

/** Collects differences: those of the same kind in the same field of an operation are one. */
export class Differences {
  readonly #all = new Map<string, Difference>()

  get all(): readonly Difference[] {
    return [...this.#all.values()]
  }

  add({ number, at, operation, event, state }: ComparedPart, misfits: readonly Misfit[]): void {
    for (const { kind, field: exact, expected, got } of misfits) {
      const field = exact.replace(/\[\d+\]/g, '[]')
      const key = JSON.stringify([operation, kind, field, kind === 'state' || kind === 'event' ? got : ''])
      if (this.#all.size >= MOST_DIFFERENCES && !this.#all.has(key)) continue
      const known = this.#all.get(key) ?? {
        ...{ kind, operation, field, states: [], expected, got, count: 0, occurrences: [] },
      }
      const time = isoTime(at)
      const occurrence = {
        exchange: number,
        at: time,
        ...(event !== undefined && { event }),
        field: exact,
        got,
      }
      this.#all.set(key, {
        ...known,
        states: state === undefined || known.states.includes(state) ? known.states : [...known.states, state],
        count: known.count + 1,
        occurrences: [...known.occurrences, occurrence].slice(0, MOST_OCCURRENCES),
      })
    }
  }
}
