import { isUnderTest } from './caller.js'
import { SimTimer, type SimTimerParts } from './sim-timer.js'

type Callback = (...values: unknown[]) => void

/** Up to this many milliseconds, a timer only lets other work run first. */
const SHORTEST = 1
const PROMISIFY = Symbol.for('nodejs.util.promisify.custom')

/**
 * Replaces `setTimeout` for the code under test, and `Date` for all code. Timers of Node, MSW and Vitest stay real.
 * @returns a function that restores both
 */
export function replaceGlobalTime(time: SimTimerParts): () => void {
  const { setTimeout, clearTimeout, Date: RealDate } = globalThis
  const start = (callback: Callback, milliseconds = 0, ...values: unknown[]) => {
    const [, , caller = ''] = new Error().stack?.split('\n') ?? []
    // A number that is missing or not valid is 0, as for the real function.
    return milliseconds > SHORTEST && isUnderTest(caller)
      ? new SimTimer(time, Math.ceil(milliseconds), () => callback(...values))
      : setTimeout(callback, milliseconds, ...values)
  }
  const wait = (milliseconds: number, value: unknown) =>
    new Promise((resolve) => new SimTimer(time, milliseconds, () => resolve(value)))
  const stop = (timer: unknown) => {
    if (timer instanceof SimTimer) timer.close()
    else clearTimeout(timer as number)
  }
  const replaced = { setTimeout, clearTimeout, Date: RealDate }
  Object.assign(globalThis, {
    setTimeout: Object.assign(start, { [PROMISIFY]: wait }),
    clearTimeout: stop,
    Date: dateAt(RealDate, time.now),
  })
  return () => void Object.assign(globalThis, replaced)
}

function dateAt(real: DateConstructor, now: () => number): DateConstructor {
  return new Proxy(real, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
