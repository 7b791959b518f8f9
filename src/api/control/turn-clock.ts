import { UsageError } from '../../core/errors.js'
import type { JsonObject, JsonValue } from '../../core/task/task.js'
import type { Simulator } from '../../simulator.js'
import { readJsonObject } from '../json-body.js'
import type { Operation } from '../operation.js'
import { Problem } from '../problem.js'
import { clockReply } from './clock-reply.js'

/** Turns the clock; answers when everything that was due on the way has happened. */
export const turnClock: Operation = {
  id: 'clock.turn',
  authenticated: false,
  async run({ sim, request }) {
    const body = await readJsonObject(request)
    const turn = turnIn(body)
    try {
      changeMode(sim, body)
      await turn?.(sim)
    } catch (error) {
      throw error instanceof UsageError ? new Problem('invalid_request', error.message) : error
    }
    return clockReply(sim)
  },
}

const FIELDS = ['mode', 'speed', 'advance', 'to', 'run_until_idle']
const MOVES = FIELDS.slice(2)

type Turn = (sim: Simulator) => Promise<void>

/** What the body says about where to move; it may say nothing, where it changes the mode. */
function turnIn(body: JsonObject): Turn | undefined {
  const unknown = Object.keys(body).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) throw invalid(unknown, `is none of ${FIELDS.join(', ')}`)
  const moves = MOVES.filter((move) => Object.hasOwn(body, move))
  if (moves.length > 1) throw invalid(moves[1] as string, `cannot go with \`${moves[0]}\`: give one of them`)
  const { advance, to, run_until_idle: untilIdle } = body
  switch (moves[0]) {
    case 'advance':
      return ({ clock }) => clock.advance(duration('advance', advance))
    case 'to':
      if (typeof to !== 'string') throw invalid('to', 'must be an instant such as "2026-01-01T00:00:00Z"')
      return ({ clock }) => clock.advanceTo(to)
    case 'run_until_idle':
      return untilIdle === true
        ? ({ clock }) => clock.runUntilIdle()
        : ({ clock }) => clock.runUntilIdle({ limit: duration('run_until_idle', untilIdle) })
    default:
      if (Object.hasOwn(body, 'mode') || Object.hasOwn(body, 'speed')) return undefined
      throw new Problem('invalid_request', `Nothing to do: give one of ${FIELDS.join(', ')}.`)
  }
}

function changeMode({ clock }: Simulator, { mode, speed }: JsonObject): void {
  if (mode === 'manual') clock.freeze()
  else if (mode === 'real' || (mode === undefined && speed !== undefined))
    clock.run(speed === undefined ? 1 : Number(speed))
  else if (mode !== undefined) throw invalid('mode', 'must be `manual` or `real`')
}

function duration(param: string, value: JsonValue | undefined): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw invalid(param, 'must be a duration such as "30s", or a number of milliseconds')
}

function invalid(param: string, why: string): Problem {
  return new Problem('invalid_request', `The field \`${param}\` ${why}.`, { param })
}
