import { SimTimer, type SimTimerParts } from './sim-timer.js'

/** The options of the functions of `node:timers/promises`. */
interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  readonly ref?: boolean | undefined
}

/** `setTimeout` of `node:timers/promises` on the clock of a simulator. */
export function waitOnClock<Value>(
  time: SimTimerParts,
  milliseconds: number,
  value: Value,
  { signal, ref = true }: WaitOptions = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      timer.close()
      reject(abortError(signal))
    }
    const timer = new SimTimer(time, milliseconds, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve(value)
    })
    if (!ref) timer.unref()
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** `setInterval` of `node:timers/promises` on the clock of a simulator. It starts when the first value is requested. */
export async function* intervalOnClock<Value>(
  time: SimTimerParts,
  milliseconds: number,
  value: Value,
  { signal, ref = true }: WaitOptions = {},
): AsyncGenerator<Value> {
  let passed = 0
  let onChange = () => {}
  const onAbort = () => onChange()
  const onPassed = () => {
    passed += 1
    onChange()
  }
  const timer = new SimTimer(time, milliseconds, onPassed, true)
  if (!ref) timer.unref()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    while (!signal?.aborted) {
      if (passed === 0) {
        await new Promise<void>((resolve) => {
          onChange = resolve
        })
      }
      for (; passed > 0; passed--) yield value
    }
    throw abortError(signal)
  } finally {
    timer.close()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** `AbortSignal.timeout` on the clock of a simulator. As in Node, the timer has no reference. */
export function abortedOnClock(time: SimTimerParts, milliseconds: number): AbortSignal {
  const controller = new AbortController()
  const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  new SimTimer(time, milliseconds, () => controller.abort(reason())).unref()
  return controller.signal
}

/** The error of Node if a signal has ended a wait. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error('The operation was aborted', { cause: signal?.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}
