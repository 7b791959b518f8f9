import { isWithinReach } from '../../engine/clock/clock-control.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { isSpeed, SPEED_FORM } from '../../engine/clock/speed.js'
import { UsageError } from '../../engine/errors.js'
import type { JsonObject } from '../../engine/json.js'
import { readJsonObject } from '../../http/json-body.js'
import type { Operation } from '../../http/operation.js'
import { invalid, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import type { Simulator } from '../../simulator.js'
import { INSTANT_FORM, readInstant } from '../instant.js'
import { checkFields } from '../own-fields.js'
import { clockShape } from './clock-shape.js'

/** Turns the clock; answers when everything that was due on the way has happened. */
export const turnClock: Operation = {
  id: 'sim.clock.turn',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const body = await readJsonObject(exchange)
    checkMoves(body)
    // All is read before anything is done, so that a mistake leaves the clock as it was.
    const change = changeIn(body, sim)
    const move = moveIn(body, sim)
    change?.(sim)
    try {
      await move?.(sim)
    } catch (error) {
      throw error instanceof UsageError ? new Problem('invalid_request', error.message) : error
    }
    sim.emit('control.used', 'clock', sim.clock.now())
    return json(200, clockShape(sim))
  },
}

const CHANGES = ['mode', 'speed']
const MOVES = ['advance', 'to', 'run_until_idle']
const FIELDS = [...CHANGES, ...MOVES]

function checkMoves(body: JsonObject): void {
  const given = Object.keys(body)
  checkFields(body, FIELDS)
  const [first, second] = given.filter((field) => MOVES.includes(field))
  if (second !== undefined) {
    throw new Problem(
      'invalid_request',
      `The field \`${second}\` cannot go with \`${first}\`: give one of them.`,
      { param: second },
    )
  }
  if (given.length === 0)
    throw new Problem('invalid_request', `Nothing to do: give one of ${FIELDS.join(', ')}.`)
}

/**
 * What the body says about how time runs.
 * @throws Problem 400 where the mode and the speed contradict each other
 */
function changeIn({ mode, speed }: JsonObject, { clock }: Simulator): ((sim: Simulator) => void) | undefined {
  if (mode !== undefined && mode !== 'manual' && mode !== 'real')
    throw invalid('field', 'mode', mode, '`manual` or `real`')
  if (speed !== undefined && !isSpeed(speed)) throw invalid('field', 'speed', speed, SPEED_FORM)
  if (speed !== undefined && (mode ?? clock.mode) === 'manual') throw noSpeed(mode)
  if (mode === 'manual') return ({ clock }) => clock.freeze()
  return mode === undefined && speed === undefined ? undefined : ({ clock }) => clock.run(speed)
}

function noSpeed(mode: string | undefined): Problem {
  const message =
    mode === undefined
      ? 'The clock is manual, so it has no speed. To let it run, give {"mode": "real"} with the `speed`.'
      : 'A manual clock has no speed. Leave `speed` out, or give {"mode": "real"} with it.'
  return new Problem('invalid_request', message, { param: 'speed' })
}

/** What the body says about where to move. */
function moveIn(body: JsonObject, { clock }: Simulator): ((sim: Simulator) => Promise<void>) | undefined {
  const { advance, to, run_until_idle: untilIdle } = body
  if (advance !== undefined) {
    const duration = durationIn('advance', advance)
    if (!isWithinReach(clock.now() + duration)) throw beyondReach()
    return ({ clock }) => clock.advance(duration)
  }
  if (to !== undefined) {
    const at = readInstant(to)
    if (at === undefined) throw invalid('field', 'to', to, INSTANT_FORM)
    const now = clock.now()
    if (at < now)
      throw invalid('field', 'to', to, `an instant from ${new Date(now).toISOString()} on, the clock's now`)
    return ({ clock }) => clock.advanceTo(at)
  }
  if (untilIdle === undefined) return undefined
  const options = untilIdle === true ? {} : { limit: durationIn('run_until_idle', untilIdle) }
  return ({ clock }) => clock.runUntilIdle(options)
}

function beyondReach(): Problem {
  return new Problem('invalid_request', 'Cannot advance the clock beyond the year 9999.')
}

function durationIn(param: string, value: unknown): number {
  const duration = typeof value === 'string' ? readDuration(value) : undefined
  if (duration === undefined) throw invalid('field', param, value, DURATION_FORM)
  return duration
}
