import { expect, it } from 'vitest'
import type { ResultOperation } from '../../../src/dialects/table/dialect-table.generated.js'
import { answer } from '../../../src/hosts/api.js'
import type { DialectTable, ScenarioInput } from '../../../src/index.js'
import { ACME, callOf } from '../../dialects/table/acme.js'
import { create, simulate } from '../../support/simulations.js'

/** A dialect whose tasks have a result. */
const tableWith = (form: Pick<ResultOperation, 'answer'>): DialectTable => ({
  ...ACME,
  results: { image: { pictures: '{{file_list}}', for: '{{input.prompt}}' } },
  file: { at: '{{url}}', as: '{{name}}', wide: '{{width}}', long: '{{seconds}}' },
  error: { body: { code: '{{code}}' } },
  operations: [{ method: 'GET', path: '/jobs/{task_id}', action: 'result', ...form }],
})

/** The result of a task after five seconds. */
async function resultOf(
  model: string,
  {
    answer: template = '{{result}}',
    seconds = 5,
    ...scenario
  }: ScenarioInput & Pick<ResultOperation, 'answer'> & { seconds?: number } = {},
) {
  const dialects = [tableWith({ answer: template })]
  const sim = simulate({ scenario: { defaults: { delay: '5s' }, ...scenario }, dialects })
  const task = await create(sim, { dialect: 'acme', model, input: { prompt: 'a fox' } })
  await sim.clock.advance(seconds * 1_000)
  const { request } = callOf(sim, task)
  const { body } = await answer(sim, {
    ...request,
    header: (name) => (name === 'authorization' ? task.owner : undefined),
  })
  return JSON.parse(String(body))
}

it('a result has the form of its kind, with the form of files', async () => {
  expect(await resultOf('acme/image-1')).toEqual({
    pictures: [
      { at: expect.stringMatching(/^https:\/\/acme\.test\/.*0\.png/), as: '0.png', wide: expect.any(Number) },
    ],
    for: 'a fox',
  })
})

it('a result of another kind is the output', async () => {
  expect(await resultOf('acme/llm-1')).toEqual(await resultOf('acme/llm-1', { answer: '{{output}}' }))
})

it('an output of the scenario is the result, unchanged', async () => {
  const rules = [{ then: { output: { mine: true } } }]
  expect(await resultOf('acme/image-1', { rules })).toEqual({ mine: true })
})

it('a request for the result of a task without one is rejected, unless the answer does without', async () => {
  expect(await resultOf('acme/image-1', { seconds: 1 })).toEqual({ code: 'invalid_request' })
  expect(await resultOf('acme/image-1', { seconds: 1, answer: { status: '{{status}}' } })).toEqual({
    status: 'busy',
  })
})
