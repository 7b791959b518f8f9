import { startTimer } from '../engine/clock/system-clock.js'

/**
 * Waits a number of milliseconds of real time. The process does not exit meanwhile.
 * @param signal ends the wait
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const stop = startTimer(milliseconds, end, true)
    signal?.addEventListener('abort', end)
  })
}

/**
 * Waits for a promise, but at most a number of milliseconds.
 * @throws the error of `tooLate` if the promise is still pending after that time
 */
export async function within<Value>(
  milliseconds: number,
  promise: Promise<Value>,
  tooLate: () => Error,
): Promise<Value> {
  let stop = () => {}
  const timeout = new Promise<never>((_, reject) => {
    stop = startTimer(milliseconds, () => reject(tooLate()), true)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    stop()
  }
}
