import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.js'
import { runs } from '../../support/deep.js'
import { type Connect, forEach, overExpress, overMsw, type Send } from './connections.js'

interface CreateRequest {
  readonly key: string
  readonly model: string
  readonly input: { readonly prompt: string }
}

const MODELS = ['acme/image-1', 'acme/video-1', 'acme/speech-1', 'acme/upscale-tool']
const KEYS = ['sk_one', 'sk_two', 'sk_three']

const COUNT = runs(60, 400)
/** The number of different requests. Later ones repeat the first ones. */
const DIFFERENT = 0.7 * COUNT

/** Most prompts belong to one key, and some requests repeat. The shared prompts are sent with all keys. */
const REQUESTS: readonly CreateRequest[] = Array.from({ length: COUNT }, (_, index) => {
  const isShared = index % 5 === 0
  const prompt = isShared ? `shared ${index % 60}` : `own ${index % DIFFERENT}`
  const key = KEYS[isShared ? index % 3 : (index % DIFFERENT) % 3] ?? ''
  return { key, model: MODELS[(index % DIFFERENT) % 4] ?? '', input: { prompt } }
})

/** Returns the final tasks of a key, each with its request, independent of the origin. */
async function tasksOf(key: string, send: Send, origin: string): Promise<string[]> {
  const lines: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const answer = await send('GET', `/api/v1/tasks?limit=100${cursor}`, key)
    const page = JSON.parse(answer.replaceAll(origin, 'ORIGIN'))
    for (const task of page.data) {
      // If several keys send one request, the order of arrival decides which task belongs to which key.
      const owner = task.input.prompt.startsWith('shared') ? 'any of them' : key
      lines.push(`${owner} ${JSON.stringify(task)}`)
    }
    after = page.next_cursor
  }
  return lines
}

async function outcome(
  connect: Connect,
  connections: number,
  requests: readonly CreateRequest[],
): Promise<string> {
  const sim = createSimulator({ scenario: 'realistic', clock: 'manual', seed: 'determinism' })
  const { origin, send } = await connect(sim, connections)
  await forEach(requests, connections, ({ key, model, input }) =>
    send('POST', '/api/v1/tasks', key, JSON.stringify({ model, input })),
  )
  await sim.clock.advance('1h')
  const lines = (await Promise.all(KEYS.map((key) => tasksOf(key, send, origin)))).flat()
  sim.close()
  return lines.sort().join('\n')
}

/** A digest and an excerpt are enough. A whole outcome would fill a screen. */
const summary = (outcome: string) => [
  createHash('sha256').update(outcome).digest('hex'),
  outcome.slice(0, 500),
]

const expected = outcome(overMsw, 1, REQUESTS)
const anOrder = fc.shuffledSubarray([...REQUESTS], { minLength: REQUESTS.length })

test.each([
  ['Express over 1 connection', overExpress, 1],
  ['Express over 50 connections', overExpress, 50],
  ['MSW one request at a time', overMsw, 1],
  ['MSW 50 requests at a time', overMsw, 50],
])('the same requests in any order create the same tasks: %s', async (_, connect, connections) => {
  expect(new Set((await expected).split('\n')).size).toBe(COUNT)
  await fc.assert(
    fc.asyncProperty(anOrder, async (requests) => {
      expect(summary(await outcome(connect, connections, requests))).toEqual(summary(await expected))
    }),
    { numRuns: runs(1, 3), endOnFailure: true },
  )
})
