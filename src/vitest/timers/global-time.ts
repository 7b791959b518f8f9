import { syncBuiltinESMExports } from 'node:module'
import nodeTimers from 'node:timers'
import nodePromises from 'node:timers/promises'
import { isAbandoned } from '../abandoned.js'
import { isCalledByCodeUnderTest } from './caller.js'
import { abortedOnClock, intervalOnClock, waitOnClock } from './promised-timers.js'
import { SimTimer, type SimTimerParts } from './sim-timer.js'

// biome-ignore lint/suspicious/noExplicitAny: functions of any signature are replaced
type Callable = (...values: any[]) => any

/** Starts something on a clock, instead of the function that was called with some values. */
type StartOnClock = (parts: SimTimerParts, milliseconds: number, values: Parameters<Callable>) => unknown

/** Up to this many milliseconds, a timer only lets other work run first. */
const SHORTEST = 1
const PROMISIFY = Symbol.for('nodejs.util.promisify.custom')
/** Leads from a replacement to the original, also for another copy of this module. */
const ORIGINAL = Symbol.for('tasksim.original')

/** The timers of Node, which code under test never gets on a clock. */
export const { setTimeout: realTimeout, setInterval: realInterval, setImmediate: realImmediate } = nodeTimers

/** A clock on which nothing is ever due, for the timers of abandoned functions. */
const STANDING: SimTimerParts = {
  now: () => 0,
  schedule: () => () => {},
  onStarted: () => {},
  onEnded: () => {},
}

/** What runs on the clock of a simulator now. */
let current: SimTimerParts | undefined
/** The replacements of this copy of the module. */
const replacements = new WeakSet<object>()

/**
 * Runs the timers of the code under test on a clock, and shows its time as `Date` to all code. Timers of Node, MSW,
 * Vitest and this package stay real.
 * @returns a function that ends this
 */
export function runOnClock(parts: SimTimerParts): () => void {
  replaceTimers()
  current = parts
  const replaced = globalThis.Date
  const date = dateOnClock(originalOf(replaced))
  globalThis.Date = date
  return () => {
    current = undefined
    // A test that uses fake timers may restore `Date` later.
    if (globalThis.Date === date) globalThis.Date = replaced
  }
}

/**
 * Replaces the timers for good, with functions that call the originals while nothing runs on a clock. So a module may
 * keep one of them when it is loaded, as in `const sleep = promisify(setTimeout)`.
 */
export function replaceTimers(): void {
  for (const target of [globalThis, nodeTimers]) {
    replace(target, 'setTimeout', onClock(timeout, 1))
    replace(target, 'setInterval', onClock(interval, 1))
    replace(target, 'clearTimeout', clearing)
    replace(target, 'clearInterval', clearing)
    Object.defineProperty(target.setTimeout, PROMISIFY, {
      get: () => nodePromises.setTimeout,
      configurable: true,
    })
  }
  replace(nodePromises, 'setTimeout', onClock(promisedTimeout))
  replace(nodePromises, 'setInterval', onClock(promisedInterval))
  replace(nodePromises.scheduler, 'wait', onClock(schedulerWait))
  replace(globalThis.AbortSignal, 'timeout', onClock(abortedOnClock))
  // Modules that import a function of `node:timers` or `node:timers/promises` by its name get the replacement.
  syncBuiltinESMExports()
}

const timeout: StartOnClock = (parts, milliseconds, [callback, , ...values]) =>
  new SimTimer(parts, milliseconds, () => callback(...values))

const interval: StartOnClock = (parts, milliseconds, [callback, , ...values]) =>
  new SimTimer(parts, milliseconds, () => callback(...values), true)

const promisedTimeout: StartOnClock = (parts, milliseconds, [, value, options]) =>
  waitOnClock(parts, milliseconds, value, options)

const promisedInterval: StartOnClock = (parts, milliseconds, [, value, options]) =>
  intervalOnClock(parts, milliseconds, value, options)

const schedulerWait: StartOnClock = (parts, milliseconds, [, options]) =>
  waitOnClock(parts, milliseconds, undefined, options)

/** @param place the index of the milliseconds in the values of the call; functions that take them first check them */
function onClock(start: StartOnClock, place: 0 | 1 = 0): (original: Callable) => Callable {
  return (original) =>
    function replacement(this: unknown, ...values: Parameters<Callable>) {
      const parts = isAbandoned() ? STANDING : current
      const isValid = parts !== undefined && (place === 1 || typeof values[place] === 'number')
      const passing = isValid ? timeOnClock(values[place]) : undefined
      return parts === undefined || passing === undefined || !isCalledByCodeUnderTest(replacement)
        ? Reflect.apply(original, this, values)
        : start(parts, passing, values)
    }
}

function clearing(original: Callable): Callable {
  return (timer: unknown) => {
    if (timer instanceof SimTimer) timer.close()
    else original(timer)
  }
}

function replace<Name extends string>(
  target: { [name in Name]: Callable },
  name: Name,
  replacementFor: (original: Callable) => Callable,
): void {
  if (replacements.has(target[name])) return
  const original = originalOf(target[name])
  target[name] = markReplacement(replacementFor(original), original)
}

function markReplacement<Value extends object>(replacement: Value, original: Value): Value {
  replacements.add(replacement)
  return Object.defineProperty(replacement, ORIGINAL, { value: original })
}

function originalOf<Value extends object>(value: Value): Value {
  return (value as { [ORIGINAL]?: Value })[ORIGINAL] ?? value
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

function dateOnClock(real: DateConstructor): DateConstructor {
  const now = () => current?.now() ?? real.now()
  return new Proxy(real, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name) => (name === 'now' ? now : name === ORIGINAL ? target : Reflect.get(target, name)),
  })
}
