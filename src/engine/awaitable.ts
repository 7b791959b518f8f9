/** A value, or the promise of one. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/**
 * Passes a value on: at once if it is there already, so that most requests pay for no wait.
 * @returns the result of `next`; a promise only if `value` or the result is one
 */
export function after<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Runs something, and cleans up if it throws or its promise rejects. The error goes on to the caller. */
export function withCleanup<Value>(run: () => Awaitable<Value>, cleanUp: () => void): Awaitable<Value> {
  const failed = (error: unknown): never => {
    cleanUp()
    throw error
  }
  try {
    const value = run()
    return isPromise(value) ? value.then(undefined, failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** A value that no caller checks: a promise that rejects is reported, and resolves. */
export function reported(value: Awaitable<void>, report: (error: unknown) => void): Awaitable<void> {
  return isPromise(value) ? value.then(undefined, report) : value
}

/** Tells a promise from a value that is there already. */
export function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
