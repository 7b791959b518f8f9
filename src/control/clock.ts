import { endOfTime } from '../engine/clock/clock-control.js'
import { writeDuration } from '../engine/clock/durations.js'
import { isoTime, isSupportedInstant } from '../engine/clock/instants.js'
import { UsageError } from '../engine/errors.js'
import { json } from '../exchange/exchange.js'
import { invalid, Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { ClockChange } from './schema/inputs.js'
import type { ClockShape } from './shapes.js'

const EXAMPLE = { now: '2026-01-01T00:02:00.000Z', mode: 'manual', speed: 0, next: null }

export const readClock = controlOperation('sim.clock.read', {
  tag: 'Clock',
  summary: 'Read the clock',
  responses: { 200: { description: 'The clock', json: 'Clock', example: EXAMPLE } },
  run: ({ sim }) => json(200, clockShape(sim)),
})

export const changeClock = controlOperation('sim.clock.turn', {
  tag: 'Clock',
  summary: 'Advance or change the clock',
  description:
    'Responds after all events up to the new time have happened, including webhook attempts and retries.',
  body: {
    schema: ClockChange,
    examples: {
      'advance by two minutes': { advance: '2m' },
      'advance to an instant': { to: '2026-02-01T00:00:00Z' },
      'advance until nothing is planned': { run_until_idle: true },
      'stop time': { mode: 'manual' },
      'a minute per second': { mode: 'real', speed: 60 },
    },
  },
  responses: { 200: { description: 'The clock', json: 'Clock', example: EXAMPLE } },
  errors: BODY_ERRORS,
  async run({ sim }, { body }) {
    const change: Change = body
    checkCombination(change)
    // Check everything before changing anything, so that a mistake leaves the clock unchanged.
    const setMode = modeChange(change, sim)
    const advance = advanceOf(change, sim)
    const before = sim.clock.now()
    try {
      setMode?.()
      await advance?.()
    } catch (error) {
      throw error instanceof UsageError ? new Problem('invalid_request', error.message) : error
    }
    const advanced = advance && (change.advance ?? Math.round(sim.clock.now() - before))
    sim.events.emit('control.used', 'clock', sim.clock.now(), undefined, describeChange(advanced, sim))
    return json(200, clockShape(sim))
  },
})

function describeChange(advanced: number | undefined, { clock }: Simulator): string {
  if (advanced !== undefined) return `+${writeDuration(advanced)}`
  return clock.mode === 'manual' ? 'paused' : `×${clock.speed}`
}

export function clockShape({ clock }: Simulator): ClockShape {
  const { mode, speed, next } = clock
  return { now: isoTime(clock.now()), mode, speed, next: isoTime(next) ?? null }
}

interface Change {
  readonly mode?: 'real' | 'manual' | undefined
  readonly speed?: number | undefined
  readonly advance?: number | undefined
  readonly to?: number | undefined
  readonly run_until_idle?: true | number | undefined
}

const ADVANCES = ['advance', 'to', 'run_until_idle'] as const

function checkCombination(change: Change): void {
  const [first, second] = ADVANCES.filter((field) => change[field] !== undefined)
  if (second !== undefined) {
    throw new Problem(
      'invalid_request',
      `The fields \`${first}\` and \`${second}\` exclude each other: give one of them.`,
      { param: second },
    )
  }
  if (Object.keys(change).length === 0)
    throw new Problem('invalid_request', `Nothing to do: give one of mode, speed, ${ADVANCES.join(', ')}.`)
}

/** @throws Problem 400 if the mode and the speed contradict each other */
function modeChange({ mode, speed }: Change, { clock }: Simulator): (() => void) | undefined {
  if (speed !== undefined && (mode ?? clock.mode) === 'manual') throw speedOfManualClock(mode)
  if (mode === 'manual') return () => clock.freeze()
  return mode === undefined && speed === undefined ? undefined : () => clock.run(speed)
}

function speedOfManualClock(mode: string | undefined): Problem {
  const message =
    mode === undefined
      ? 'The clock is manual, so it has no speed. Give {"mode": "real"} together with `speed`.'
      : 'A manual clock has no speed. Omit `speed`, or give {"mode": "real"} with it.'
  return new Problem('invalid_request', message, { param: 'speed' })
}

function advanceOf(
  { advance, to, run_until_idle: untilIdle }: Change,
  { clock }: Simulator,
): (() => Promise<void>) | undefined {
  if (advance !== undefined) {
    if (!isSupportedInstant(clock.now() + advance)) throw new Problem('invalid_request', endOfTime().message)
    return () => clock.advance(advance)
  }
  if (to !== undefined) {
    const now = clock.now()
    if (to < now)
      throw invalid('field', 'to', isoTime(to), `an instant from ${isoTime(now)} on, the current time`)
    return () => clock.advanceTo(to)
  }
  if (untilIdle === undefined) return undefined
  return () => clock.runUntilIdle(untilIdle === true ? {} : { limit: untilIdle })
}
