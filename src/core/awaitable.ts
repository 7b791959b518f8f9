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

function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
