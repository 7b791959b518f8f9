import { AsyncLocalStorage } from 'node:async_hooks'

const run = new AsyncLocalStorage<{ isOver: boolean }>()

/**
 * Calls a function that may be abandoned later.
 * @returns its result, and a function that abandons it: what it still does gets no answer, and its timers never fire
 */
export function callAbandonable<Result>(callback: () => Result): {
  readonly result: Result
  readonly abandon: () => void
} {
  const state = { isOver: false }
  const abandon = () => {
    state.isOver = true
  }
  return { result: run.run(state, callback), abandon }
}

/** Calls a function on behalf of no function that may be abandoned. */
export function callUnabandonable<Result>(callback: () => Result): Result {
  return run.run({ isOver: false }, callback)
}

/** Whether the code that calls this belongs to a function that was abandoned. */
export function isAbandoned(): boolean {
  return run.getStore()?.isOver === true
}

/** What an abandoned function waits for. */
export function never<Value>(): Promise<Value> {
  return new Promise(() => {})
}
