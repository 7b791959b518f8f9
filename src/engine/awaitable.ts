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

/** Whether a value is a promise. */
export function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

const TURNS = 10

/** Lets work continue that waits only for promises which are resolved already: it gets several turns of their queue. */
export async function letContinue(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await undefined
}

/**
 * Yields to the event loop, so that other work such as requests can run. A chain of resolved promises would otherwise
 * block everything else until it ends. This uses no timer, so it adds no delay.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const listener = () => {
      port1.close()
      resolve()
    }
    // Node's types lack this property, which browsers' types have.
    Object.assign(port1, { onmessage: listener })
    port2.postMessage(undefined)
  })
}
