import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call } from '../../../../src/dialects/call.js'
import { FILES } from '../../../../src/dialects/files/index.generated.js'
import * as TASKS from '../../../../src/dialects/files/tasks.generated.js'
import { taskText } from '../../../../src/dialects/table/answers/task-text.js'
import type { DialectTable, StatusForm } from '../../../../src/dialects/table/dialect-table.generated.js'
import { endpointOf } from '../../../../src/dialects/table/requests/endpoint.js'
import type { Template } from '../../../../src/dialects/table/template/template.js'
import type { Simulator, Task } from '../../../../src/index.js'
import { runs } from '../../../support/deep.js'
import { create, simulate } from '../../../support/simulations.js'

/** Shows every value that may change while a task does not. */
const EVERYTHING: Template = {
  id: '{{id}}',
  status: '{{status}}',
  logs: '{{logs | not_empty}}',
  progress: '{{progress}}',
  times: ['{{now}}', '{{queue_ms}}', '{{run_ms}}', '{{total_ms}}'],
  output: { all: '{{output}}', first: '{{image or video}}', removed: '{{is_removed}}' },
  either: '{{files | not_empty or logs}}',
  whole: ['{{task}}', '{{task | text}}'],
}
const REMOVABLE: StatusForm = {
  word: 'done',
  fields: { at: '{{now}}' },
  variants: [{ if: '{{is_removed}}', word: 'gone', fields: { was: '{{run_ms}}' } }],
}
const PATH = '/tasks/{task_id}'

const step = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
  fc.constantFrom('poll', 'hold', 'release', 'cancel', 'other origin'),
)
const life = fc.record({
  delay: fc.constantFrom<'0s' | '7s' | '20s' | { polls: number }>('0s', '7s', '20s', { polls: 4 }),
  outcome: fc.constantFrom('succeeded', 'failed', 'stuck'),
  renew: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: runs(12, 15) }),
})

test.each([{ name: 'tasks', load: async () => TASKS }, ...FILES])(
  'a cached text about a task of $name is the same as one that is not cached, at all times',
  async ({ name, load }) => {
    const { TABLE } = await load()
    // Writers of the same table share their cache.
    const newWriters = () => {
      const table = { ...TABLE }
      const removable = { ...TABLE, statuses: { ...TABLE.statuses, succeeded: REMOVABLE } }
      return [writerOf(table), writerOf(table, EVERYTHING), writerOf(removable)]
    }
    await fc.assert(
      fc.asyncProperty(life, async ({ delay, outcome, renew, steps }) => {
        const sim = simulate({
          scenario: {
            defaults: { delay },
            rules: [{ when: {}, then: { outcome } }],
            capacity: { running: 1 },
            outputs: { lifetime: '5s', retention: '30s', renew },
          },
        })
        await sim.dialects.load(name)
        const order = { dialect: name }
        const tasks = [await create(sim, order), await create(sim, { ...order, input: { n: 3 } })]
        const cached = newWriters()
        let origin = 'https://one.test'
        for (const step of steps) {
          if (step === 'other origin') origin = 'https://other.test'
          else await take(step, sim, tasks[0]?.id ?? '')
          for (const { id } of tasks) {
            const task = await sim.tasks.get(id)
            if (task === undefined) continue
            const call = callOf(sim, origin, id)
            const texts = cached.map((write) => write(call, task))
            expect(texts).toEqual(newWriters().map((write) => write(call, task)))
          }
        }
      }),
      { numRuns: runs(1, 8) },
    )
  },
)

function writerOf(table: DialectTable, own?: Template) {
  const endpoint = endpointOf(table, PATH)
  return (call: Call, task: Task) => taskText(table, { own }).of(task, call, endpoint)
}

async function take(step: number | string, sim: Simulator, id: string): Promise<void> {
  if (typeof step === 'number') await sim.clock.advance(step)
  const task = await sim.tasks.get(id)
  if (task === undefined) return
  if (step === 'poll') await sim.tasks.poll(task)
  if (step === 'hold') await sim.tasks.hold(id)
  if (step === 'release') await sim.tasks.release(id)
  if (step === 'cancel') await sim.tasks.cancel(id)
}

function callOf(sim: Simulator, origin: string, id: string): Call {
  const path = `/any${PATH.replace('{task_id}', id)}`
  const request = {
    method: 'GET',
    path,
    query: '',
    origin,
    header: () => undefined,
    body: async () => NOTHING,
  }
  return { sim, request, params: [id], key: 'sk_one' }
}

const NOTHING = new Uint8Array()
