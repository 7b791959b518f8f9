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
  const start = (callback: Callback, milliseconds?: number, ...values: unknown[]) => {
    const [, , caller = ''] = new Error().stack?.split('\n') ?? []
    const passing = timeOnClock(milliseconds)
    return passing !== undefined && isUnderTest(caller)
      ? new SimTimer(time, passing, () => callback(...values))
      : setTimeout(callback, milliseconds, ...values)
  }
  const wait = (milliseconds?: number, value?: unknown) =>
    new Promise((resolve) => {
      const passing = timeOnClock(milliseconds)
      if (passing === undefined) setTimeout(resolve, milliseconds, value)
      else new SimTimer(time, passing, () => resolve(value))
    })
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

/**
 * The milliseconds for which a timer waits on the clock.
 * @returns undefined if it only lets other work run first
 */
function timeOnClock(milliseconds: unknown): number | undefined {
  // A number that is missing or not valid is 0, as for the real function. On the clock, it would never be due.
  const passing = Math.ceil(Number(milliseconds))
  return passing > SHORTEST && passing < Infinity ? passing : undefined
}

function dateAt(real: DateConstructor, now: () => number): DateConstructor {
  return new Proxy(real, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
