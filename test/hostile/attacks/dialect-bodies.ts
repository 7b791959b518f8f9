import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { headersFor, idIn, SERVICES, type Service } from '../../support/services.js'
import { Stalls } from '../stalls.js'

/** The largest body that the server accepts, in bytes, minus space for the fields around the value. */
const SPACE = 10 * 1024 * 1024 - 1_000
/** The number of values that a body may have, minus those around the value. */
const VALUES = 49_800
/** The text in the body of each service that a hostile value replaces. */
const TEXT = /"(?:a lighthouse|waves|Write about the sea\.|a horse|https:[^"]*)"/

const string = (text: string) => `"${text.repeat(Math.floor(SPACE / Buffer.byteLength(text)))}"`
const VALUE_OF: Readonly<Record<string, () => string>> = {
  '10 MB of ASCII': () => string('a'),
  '10 MB of Chinese': () => string('漢'),
  '10 MB of \\ud800': () => string('\\ud800'),
  'as many long keys as are accepted': () =>
    `{${Array.from({ length: VALUES }, (_, index) => `"${'k'.repeat(180)}${(index * 40_013) % 1_000_003}_${index}":1`).join(',')}}`,
}

/** Further ways to create a task, by the name of the dialect. */
const OTHERS: readonly (readonly [dialect: string, service: Service])[] = [
  [
    'google',
    {
      origin: '',
      keyHeader: 'x-goog-api-key',
      create: '/v1/interactions',
      body: { model: 'gemini-3-pro', input: 'waves', background: true },
      task: (id) => `/v1/interactions/${id}`,
      interval: 1,
    },
  ],
  [
    'vertex',
    {
      origin: '',
      create: '/v1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
      body: { instances: [{ prompt: 'waves' }], parameters: { storageUri: 'waves' } },
      id: 'name',
      task: (id) => `/v1/publishers/google/models/veo-3.1-generate-001/operations/${id}`,
      interval: 1,
    },
  ],
]

/** Bodies that are slow to read with the templates of a dialect. */
export const dialectBodies: Check = {
  title: 'no body of any dialect stalls other requests',
  async run(figure) {
    const server = await Server.start(['instant'])
    const stalls = new Stalls(server)
    const values = Object.entries(VALUE_OF).map(([what, value]) => ({ what, value: value() }))
    try {
      for (const [name, service] of [...Object.entries(SERVICES), ...OTHERS])
        for (const { what, value } of values) {
          const body = JSON.stringify(service.body).replace(TEXT, () => value)
          await stalls.measure(`${name}: ${what}`, () => createAndPoll(server, name, service, body), figure)
        }
      stalls.check()
    } finally {
      await Promise.all([server.kill(), stalls.end()])
    }
  },
}

/** Posts a body, and polls its task, unless it is rejected. */
async function createAndPoll({ port }: Server, name: string, service: Service, body: string): Promise<void> {
  const { host = '', key = 'Bearer sk_bodies', create, task } = service
  const base = `http://127.0.0.1:${port}/${name}${host}`
  const headers = headersFor(service, key)
  const answer = await fetch(base + create, { method: 'POST', headers, body })
  const text = await answer.text()
  expectThat(answer.status < 500, `Expected an answer below 500, got ${answer.status} ${text.slice(0, 200)}`)
  if (!answer.ok) return
  const id = idIn(service, JSON.parse(text))
  await (await fetch(base + task(id), { headers })).arrayBuffer()
}
