/** A value, or the promise of one. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/**
 * Goes on with a value: at once where it is there, so that nobody pays for a wait that is none.
 * @returns what `next` makes of it, as a promise only where there was one to wait for
 */
export function after<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Runs something. If it throws or its promise rejects, `handle` replaces the value or throws in turn. */
export function recover<Value>(
  run: () => Awaitable<Value>,
  handle: (error: unknown) => Value,
): Awaitable<Value> {
  try {
    const value = run()
    return isPromise(value) ? value.then(undefined, handle) : value
  } catch (error) {
    return handle(error)
  }
}

/** Runs something, and cleans up if it throws or its promise rejects. The error goes on to the caller. */
export function withCleanup<Value>(run: () => Awaitable<Value>, cleanUp: () => void): Awaitable<Value> {
  return recover(run, (error) => {
    cleanUp()
    throw error
  })
}

/** A value, of which nobody waits for the failure: a promise that rejects is reported, and resolves. */
export function reported(value: Awaitable<void>, report: (error: unknown) => void): Awaitable<void> {
  return isPromise(value) ? value.then(undefined, report) : value
}

function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
