import { isoTime } from '../engine/clock/instants.js'
import { UsageError } from '../engine/errors.js'
import { toDollars } from '../engine/tasks/pricing.js'
import { json } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { placeholdersOf } from '../scenario/secrets/placeholders.js'
import type { Simulator } from '../simulator/simulator.js'
import { clockShape } from './clock.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { text } from './schema/parts.js'
import type { HealthShape, ReadinessShape, ResetShape, StateShape } from './shapes.js'

export const readHealth = controlOperation('sim.health', {
  tag: 'Simulator',
  summary: 'Check whether the server runs',
  description: 'Answers 200 even if the server is a standby or cannot store its state.',
  responses: {
    200: { description: 'The server runs', json: 'Health', example: { status: 'ok' } },
  },
  run: () => json(200, { status: 'ok' } satisfies HealthShape),
})

export const readReadiness = controlOperation('sim.ready', {
  tag: 'Simulator',
  summary: 'Check whether the server answers requests',
  description:
    'For load balancers: a server with a ledger answers 503 if it is a standby or cannot store its state.',
  responses: {
    200: { description: 'The server answers requests', json: 'Readiness', example: { status: 'ready' } },
  },
  errors: ['unavailable'],
  run: () => json(200, { status: 'ready' } satisfies ReadinessShape),
})

export const readState = controlOperation('sim.state', {
  tag: 'Simulator',
  summary: 'Read the state of the simulator',
  description: 'Includes the scenario, the seed, the clock, the counters and the memory use.',
  responses: { 200: { description: 'The state', json: 'State' } },
  run: ({ sim }) => json(200, stateShape(sim)),
})

export const resetSimulator = controlOperation('sim.reset', {
  tag: 'Simulator',
  summary: 'Reset to the initial state',
  description:
    'Restores the initial scenario, deletes all tasks, and restarts the clock and all random sequences.',
  responses: {
    200: {
      description: 'The initial state',
      json: 'Reset',
      example: { seed: '1', scenario: 'default', now: '2026-01-01T00:00:00.000Z' },
    },
  },
  errors: BODY_ERRORS,
  async run({ sim }) {
    await sim.reset()
    const { seed, scenario, clock } = sim
    return json(200, { seed, scenario: scenario.name, now: isoTime(clock.now()) } satisfies ResetShape)
  },
})

/** The scenario, the clock and the counts of a simulator. */
function stateShape(sim: Simulator): StateShape {
  const { mirrored } = sim
  const { name, description } = sim.scenario
  return {
    sandbox: sim.identity?.id ?? null,
    scenario: { name, description: placeholdersOf(sim.scenario).maskIn(description) },
    seed: sim.seed,
    partition: sim.partition,
    clock: clockShape(sim),
    tasks: sim.counters.tasks,
    requests: sim.counters.durations.count,
    deliveries: sim.webhooks.log.counts,
    spent_usd: toDollars(sim.counters.spent),
    sandboxes: sim.sandboxes.size,
    memory: memoryShape(sim),
    journal: sim.journal.newest,
    recording: mirrored && { upstream: mirrored.upstream, file: mirrored.file },
  }
}

function memoryShape({ memory }: Simulator): StateShape['memory'] {
  const { limit, used } = memory
  // JSON cannot express Infinity.
  return { used_bytes: used, limit_bytes: limit === Infinity ? null : limit, holders: memory.usage() }
}

const TYPE = 'application/jsonl'
const EXAMPLE = '{"tasksim":"state","version":2}\n{"kind":"meta","seq":0,"value":{...}}\n{"rows":1}\n'

const SECRETS =
  'The file contains API keys and the signing secrets of webhooks, unlike all other responses of this API.'

export const exportState = controlOperation('sim.state.export', {
  tag: 'Simulator',
  summary: 'Export the whole state',
  description: `Returns a file from which another simulator can continue. It contains the tasks, pending webhooks, the clock, the scenario, the journal and all other state; see docs/ledger.md. ${SECRETS}`,
  responses: {
    200: {
      description: 'The file, in the format JSON Lines',
      content: { type: TYPE, schema: { type: 'string' } },
      example: EXAMPLE,
    },
  },
  async run({ sim }) {
    const [{ rowsOf }, { stateLines }] = await Promise.all([
      import('../ledger/spaces.js'),
      import('../ledger/state-file.js'),
    ])
    return {
      status: 200,
      headers: {
        'content-type': TYPE,
        'content-disposition': 'attachment; filename="tasksim-state.jsonl"',
        'cache-control': 'no-store',
      },
      body: [...stateLines(rowsOf(sim))].join(''),
    }
  },
})

export const importState = controlOperation('sim.state.import', {
  tag: 'Simulator',
  summary: 'Import a whole state',
  description:
    'Replaces the whole state with a file from `GET /_sim/state.jsonl` or `tasksim export`. The clock continues at the time of the export. An invalid file changes nothing. The file must have the seed of the server. A server with a ledger rejects every file.',
  body: {
    schema: text('The file, in the format JSON Lines'),
    type: TYPE,
    examples: { 'a state': EXAMPLE },
  },
  responses: { 200: { description: 'The state', json: 'State' } },
  errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'conflict'],
  async run({ sim }, { body }) {
    const [{ replaceState }, { readStateFile }, { LedgerError }] = await Promise.all([
      import('../ledger/replace-state.js'),
      import('../ledger/state-file.js'),
      import('../ledger/ledger-error.js'),
    ])
    try {
      await replaceState(sim, readStateFile(body))
    } catch (error) {
      if (error instanceof LedgerError) throw new Problem('conflict', error.message)
      throw error instanceof UsageError ? new Problem('invalid_request', error.message) : error
    }
    return json(200, stateShape(sim))
  },
})
