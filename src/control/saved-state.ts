import { UsageError } from '../engine/errors.js'
import { Problem } from '../exchange/problem.js'
import { json } from '../exchange/reply.js'
import { controlOperation } from './operation.js'
import { text } from './schema/parts.js'
import { stateShape } from './state.js'

const TYPE = 'application/jsonl'

const EXAMPLE = '{"tasksim":"state","version":1}\n{"kind":"meta","seq":0,"value":{...}}\n{"rows":1}\n'

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
      import('../ledger/save.js'),
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
