import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput } from '../../../src/index.js'
import { found } from './stage.js'

type Intervals = NonNullable<NonNullable<ScenarioInput['findings']>['thresholds']>['poll_interval']

/** The findings about a client that polls a task of Runway several times. */
async function findingsOf(pause: '2s' | '5s', poll_interval: NonNullable<Intervals> = {}) {
  const sim = createSimulator({
    clock: 'manual',
    scenario: {
      defaults: { delay: '20s' },
      findings: { ignore: ['output-never-downloaded'], thresholds: { poll_interval } },
    },
  })
  const own = handlers(sim, { dialect: 'runway' })
  // biome-ignore lint/suspicious/noExplicitAny: the test reads single fields
  const send = async (path: string, init: RequestInit = {}): Promise<any> => {
    const headers = {
      'x-runway-version': '2024-11-06',
      authorization: 'Bearer key',
      'content-type': 'application/json',
    }
    const request = new Request(`https://api.dev.runwayml.com/v1${path}`, { ...init, headers })
    return (await getResponse(own, request))?.json()
  }
  const { id } = await send('/text_to_image', {
    method: 'POST',
    body: '{"model":"gen4_image","promptText":"a lighthouse"}',
  })
  do await sim.clock.advance(pause)
  while ((await send(`/tasks/${id}`)).status !== 'SUCCEEDED')
  return found(sim)
}

it('the interval that a service recommends overrides that of the kind of task', async () => {
  expect(await findingsOf('5s')).toEqual([])
  expect(await findingsOf('2s')).toEqual(['polls-too-fast'])
})

it('an interval of the scenario overrides the one that the service recommends', async () => {
  expect(await findingsOf('2s', { image: '2s' })).toEqual([])
  expect(await findingsOf('5s', { image: '10s' })).toEqual(['polls-too-fast'])
})
