import { CLIENTS, clientCode } from '../../../control/code/clients.js'
import type { DialectShape, StateShape } from '../../../control/shapes.js'
import { UsageError } from '../../../engine/errors.js'
import { SHIPPED_NAMES } from '../../../scenario/language/shipped.js'
import type { NewSimulator, Session } from '../session.js'
import { inputOf, type Tool } from './tool.js'

export const getSimulator: Tool = {
  name: 'get_simulator',
  title: 'Read the addresses and the state of the simulator',
  effect: 'reads',
  operations: ['sim.state', 'sim.dialects.list'],
  description:
    'Read the base URL to set in the app under test, an example of a create request, the addresses for the official clients of the imitated services, and the state: scenario, clock, and counts of tasks, requests and webhooks. Call it first.',
  input: inputOf({}),
  run: (_, { session }) => describeSimulator(session),
}

export const startSimulator: Tool = {
  name: 'start_simulator',
  title: 'Start a new simulator',
  effect: 'deletes',
  description:
    'Replace the simulator with a new one at the same address, with another scenario, seed or clock. All tasks, requests and findings are lost. Settings that you omit are those of the command line. To keep the tasks, use set_scenario and control_clock instead.',
  input: inputOf({
    scenario: {
      type: 'string',
      description: `The path of a scenario file or a recording, or one of: ${SHIPPED_NAMES.join(', ')}`,
    },
    seed: { type: 'string', description: 'The seed of all random values; "random" picks one' },
    clock: {
      type: 'string',
      enum: ['real', 'manual'],
      description: 'The mode of the clock; a manual clock moves only when you advance it',
    },
    speed: { type: 'number', description: 'Simulated seconds per real second, for a real clock' },
  }),
  async run(given, { session }) {
    if (session.restart === undefined)
      throw new UsageError(
        'The simulator is a server that runs elsewhere (--server), so it cannot be started again. Use reset_simulator and set_scenario.',
      )
    await session.restart(readSettings(given))
    return describeSimulator(session)
  },
}

function readSettings({ scenario, seed, clock, speed }: Readonly<Record<string, unknown>>): NewSimulator {
  if (clock !== undefined && clock !== 'real' && clock !== 'manual')
    throw new UsageError(`\`clock\` must be real or manual; got ${JSON.stringify(clock)}.`)
  return {
    ...(scenario !== undefined && { scenario: String(scenario) }),
    ...(seed !== undefined && { seed: String(seed) }),
    ...(clock !== undefined && { clock }),
    ...(speed !== undefined && { speed: Number(speed) }),
  }
}

/** What an assistant needs to point the app to the simulator. */
async function describeSimulator({ call, origin }: Session): Promise<object> {
  const state = await call<StateShape>('GET', '/state')
  const { data } = await call<{ data: DialectShape[] }>('GET', '/dialects')
  const [main, ...others] = data
  const { scenario, seed, clock, tasks, requests, deliveries, spent_usd } = state
  return {
    base_url: `${origin}/api/v1`,
    dashboard: `${origin}/_sim/`,
    create_request: main?.example,
    webhook_secret: 'Run `npx tasksim secret` with the same scenario and options to print it.',
    services: others.map((dialect) => addressOf(dialect, origin)),
    state: { scenario, seed, clock, tasks, requests, deliveries, spent_usd },
  }
}

function addressOf({ name, example }: DialectShape, origin: string): object {
  const setup = CLIENTS[name]
  if (setup === undefined) return { dialect: name, create: `${example.method} ${example.url}` }
  const { package: client, path, urlVariable: variable } = setup
  const use = variable === undefined ? { code: clientCode(setup, origin, 'any-key')[1] } : { variable }
  return { dialect: name, base_url: origin + path, client, ...use }
}
