import { expect, it } from 'vitest'
import type { ResultOperation } from '../../../../src/dialects/table/dialect-table.generated.js'
import { resultAction } from '../../../../src/dialects/table/rare-parts.js'
import type { ScenarioInput } from '../../../../src/index.js'
import { create, simulate } from '../../../support/simulations.js'
import { ACME, callOf, PLACE } from '../acme.js'

const TABLE = {
  ...ACME,
  results: { image: { pictures: '{{file_list}}', for: '{{input.prompt}}' } },
  file: { at: '{{url}}', as: '{{name}}', wide: '{{width}}', long: '{{seconds}}' },
}

/** The result of a task after five seconds. */
async function resultOf(
  model: string,
  {
    answer = '{{result}}',
    seconds = 5,
    ...scenario
  }: ScenarioInput & Pick<ResultOperation, 'answer'> & { seconds?: number } = {},
) {
  const sim = simulate({ scenario: { defaults: { delay: '5s' }, ...scenario } })
  const { id } = await create(sim, { model, input: { prompt: 'a fox' } })
  await sim.clock.advance(seconds * 1_000)
  const task = await sim.tasks.get(id)
  if (task === undefined) throw new Error('The task is gone')
  const { encode } = resultAction(TABLE, { action: 'result', answer }, PLACE)
  return JSON.parse(String((await encode(task, callOf(sim, task))).body))
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
  await expect(resultOf('acme/image-1', { seconds: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await resultOf('acme/image-1', { seconds: 1, answer: { status: '{{status}}' } })).toEqual({
    status: 'busy',
  })
})
