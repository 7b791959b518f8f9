import { isSpeed, SPEED_FORM } from '../../engine/clock/speed.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import type { Sandbox } from '../../engine/sandboxes.js'
import { readOptionalJsonObject } from '../../http/json-body.js'
import type { Exchange, Operation } from '../../http/operation.js'
import { invalid, overBudget, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import type { SandboxOptions } from '../../simulator-settings.js'
import { INSTANT_FORM, readInstant } from '../instant.js'
import { checkFields, nameIn, positiveDuration } from '../own-fields.js'
import { scenarioIn } from '../scenario/scenario.js'
import type { SandboxShape } from '../shapes.js'

/** Makes an isolated simulator, and answers with the API key that leads into it. */
export const createSandbox: Operation = {
  id: 'sim.sandboxes.create',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    if (sim.identity !== undefined)
      throw new Problem('conflict', 'A sandbox has no sandboxes. Make it beside this one.')
    if (sim.sandboxes.isFull) throw new Problem('conflict', 'There are 10,000 sandboxes. Delete some.')
    const body = await readOptionalJsonObject(exchange)
    return json(201, sandboxShape(made(sim, await optionsIn(body, sim))))
  },
}

function made(sim: Simulator, options: SandboxOptions): Sandbox<Simulator> {
  try {
    return sim.createSandbox(options)
  } catch (error) {
    throw error instanceof OverBudgetError ? overBudget(sim.memory) : error
  }
}

export const listSandboxes: Operation = {
  id: 'sim.sandboxes.list',
  authenticated: false,
  run: ({ sim }) => json(200, { data: sim.sandboxes.list().map(sandboxShape) }),
}

export const readSandbox: Operation = {
  id: 'sim.sandboxes.read',
  authenticated: false,
  run: (exchange) => json(200, sandboxShape(sandboxOf(exchange))),
}

/** Ends a sandbox and forgets all that was in it. */
export const deleteSandbox: Operation = {
  id: 'sim.sandboxes.delete',
  authenticated: false,
  run(exchange) {
    const shape = sandboxShape(sandboxOf(exchange))
    exchange.sim.sandboxes.delete(shape.id)
    return json(200, shape)
  },
}

function sandboxOf({ sim, params: [id = ''] }: Exchange): Sandbox<Simulator> {
  const sandbox = sim.sandboxes.get(id)
  if (sandbox !== undefined) return sandbox
  throw new Problem('not_found', `There is no sandbox ${id.slice(0, 100)}, or it was deleted.`)
}

function sandboxShape({ identity, sim }: Sandbox<Simulator>): SandboxShape {
  return {
    id: identity.id,
    api_key: identity.key,
    scenario: sim.scenario.name,
    seed: sim.seed,
    now: new Date(sim.clock.now()).toISOString(),
    tasks: sim.counters.created,
  }
}

const FIELDS = ['name', 'scenario', 'text', 'seed', 'clock', 'speed', 'start', 'idle']

async function optionsIn(body: JsonObject, sim: Simulator): Promise<SandboxOptions> {
  checkFields(body, FIELDS)
  const { name, seed, clock, speed, start, idle } = body
  checkClock(body, sim)
  const scenario = await ownScenario(body, sim)
  return {
    ...(name !== undefined && { name: nameIn('name', name) }),
    ...(scenario !== undefined && { scenario }),
    ...(seed !== undefined && { seed: seedOf(seed) }),
    ...(clock !== undefined && { clock: mode(clock) }),
    ...(speed !== undefined && { speed: isSpeed(speed) ? speed : refuse('speed', speed, SPEED_FORM) }),
    ...(start !== undefined && { start: instantOf(start) }),
    ...(idle !== undefined && { idle: positiveDuration('idle', idle) }),
  }
}

/** A `scenario` is the name of a shipped one, or one as an object; a `text` is YAML. */
async function ownScenario({ scenario, text }: JsonObject, sim: Simulator): Promise<Scenario | undefined> {
  if (scenario === undefined && text === undefined) return undefined
  const isName = typeof scenario === 'string'
  return scenarioIn(
    {
      ...(scenario !== undefined && (isName ? { name: scenario } : { scenario })),
      ...(text !== undefined && { text }),
    },
    sim,
  )
}

/**
 * Rejects a speed without a running clock, and a start without a manual one.
 * @throws Problem 400
 */
function checkClock({ clock, speed, start }: JsonObject, sim: Simulator): void {
  const isManual = (clock === undefined ? sim.initialClock : mode(clock)) === 'manual'
  const [field, other] = isManual ? (['speed', 'real'] as const) : (['start', 'manual'] as const)
  if ((isManual ? speed : start) === undefined) return
  throw new Problem(
    'invalid_request',
    `The field \`${field}\` is for a ${other} clock: leave it out, or give {"clock": "${other}"} with it.`,
    { param: field },
  )
}

function mode(clock: JsonValue): 'real' | 'manual' {
  return clock === 'real' || clock === 'manual' ? clock : refuse('clock', clock, '`real` or `manual`')
}

function seedOf(seed: JsonValue): string {
  return typeof seed === 'string' || Number.isSafeInteger(seed)
    ? nameIn('seed', String(seed))
    : refuse('seed', seed, 'a string or a whole number')
}

function instantOf(start: JsonValue): number {
  return readInstant(start) ?? refuse('start', start, INSTANT_FORM)
}

function refuse(field: string, value: unknown, expected: string): never {
  throw invalid('field', field, value, expected)
}
