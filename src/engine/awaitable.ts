/** A value, or the promise of one. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/**
 * Passes a value to a function: at once if it is not a promise, so that most requests need not wait.
 * @returns the result of `next`; a promise only if `value` or the result is one
 */
export function after<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Runs a function, and cleans up if it throws or its promise rejects. The caller still receives the error. */
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

/** Reports the error of a promise whose caller does not handle it. The returned promise always resolves. */
export function reported(value: Awaitable<void>, report: (error: unknown) => void): Awaitable<void> {
  return isPromise(value) ? value.then(undefined, report) : value
}

/** Whether a value is a promise. */
export function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
