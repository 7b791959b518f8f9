import type * as v from 'valibot'
import { isoTime } from '../engine/clock/instants.js'
import { OverBudgetError } from '../engine/memory/budget.js'
import { json } from '../exchange/exchange.js'
import { overBudget, Problem } from '../exchange/problem.js'
import type { Exchange } from '../http/operation.js'
import type { Scenario } from '../scenario/scenario.js'
import type { Sandbox } from '../simulator/sandboxes.js'
import type { SandboxOptions } from '../simulator/settings.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { readGivenScenario } from './scenario.js'
import { NewSandbox } from './schema/inputs.js'
import type { SandboxShape } from './shapes.js'

const ID = { id: 'The id of the sandbox' }

export const listSandboxes = controlOperation('sim.sandboxes.list', {
  tag: 'Sandboxes',
  summary: 'List the sandboxes',
  responses: { 200: { description: 'All sandboxes', json: 'SandboxList' } },
  run: ({ sim }) => json(200, { data: sim.sandboxes.list().map(sandboxShape) }),
})

export const createSandbox = controlOperation('sim.sandboxes.create', {
  tag: 'Sandboxes',
  summary: 'Create a sandbox',
  description: 'Creates an isolated simulator. The response contains its API key.',
  body: {
    optional: true,
    schema: NewSandbox,
    examples: { 'for a test worker': { name: 'worker-1', scenario: 'flaky', clock: 'manual' } },
  },
  responses: { 201: { description: 'The sandbox', json: 'Sandbox' } },
  errors: [...BODY_ERRORS, 'invalid_scenario', 'conflict'],
  async run({ sim }, { body }) {
    if (sim.identity !== undefined)
      throw new Problem('conflict', 'A sandbox cannot contain another one. Create it in the default sandbox.')
    if (sim.sandboxes.isFull)
      throw new Problem('conflict', 'The limit of 10,000 sandboxes is reached. Delete some.')
    const options = await optionsOf(body, sim)
    try {
      return json(201, sandboxShape(sim.createSandbox(options)))
    } catch (error) {
      throw error instanceof OverBudgetError ? overBudget(sim.memory) : error
    }
  },
})

export const readSandbox = controlOperation('sim.sandboxes.read', {
  tag: 'Sandboxes',
  summary: 'Read a sandbox',
  params: ID,
  responses: { 200: { description: 'The sandbox', json: 'Sandbox' } },
  errors: ['not_found'],
  run: (exchange) => json(200, sandboxShape(sandboxOf(exchange))),
})

export const deleteSandbox = controlOperation('sim.sandboxes.delete', {
  tag: 'Sandboxes',
  summary: 'Delete a sandbox and everything in it',
  params: ID,
  responses: { 200: { description: 'The deleted sandbox', json: 'Sandbox' } },
  errors: ['not_found'],
  run(exchange) {
    const shape = sandboxShape(sandboxOf(exchange))
    exchange.sim.sandboxes.delete(shape.id)
    return json(200, shape)
  },
})

function sandboxOf({ sim, params: [id = ''] }: Exchange): Sandbox<Simulator> {
  const sandbox = sim.sandboxes.get(id)
  if (sandbox !== undefined) return sandbox
  throw new Problem('not_found', `There is no sandbox ${id.slice(0, 100)}, or it was deleted.`)
}

function sandboxShape({ identity, sim }: Sandbox<Simulator>): SandboxShape {
  return {
    id: identity.id,
    name: identity.name,
    api_key: identity.key,
    scenario: sim.scenario.name,
    seed: sim.seed,
    now: isoTime(sim.clock.now()),
    tasks: sim.counters.created,
  }
}

type Body = v.InferOutput<typeof NewSandbox>

async function optionsOf(body: Body, sim: Simulator): Promise<SandboxOptions> {
  checkClock(body, sim)
  const { scenario: _, text: __, ...options } = body
  const scenario = await scenarioOf(body, sim)
  return { ...options, ...(scenario !== undefined && { scenario }) } as SandboxOptions
}

async function scenarioOf({ scenario, text }: Body, sim: Simulator): Promise<Scenario | undefined> {
  if (scenario === undefined && text === undefined) return undefined
  return readGivenScenario(typeof scenario === 'string' ? { name: scenario, text } : { scenario, text }, sim)
}

/** @throws Problem 400 for a speed with a manual clock, or a start with a real one */
function checkClock({ clock, speed, start }: Body, sim: Simulator): void {
  const isManual = (clock ?? sim.initialClock) === 'manual'
  const [field, other] = isManual ? (['speed', 'real'] as const) : (['start', 'manual'] as const)
  if ((isManual ? speed : start) === undefined) return
  throw new Problem(
    'invalid_request',
    `The field \`${field}\` requires a ${other} clock: omit it, or give {"clock": "${other}"} with it.`,
    { param: field },
  )
}
