import { connect, type Socket } from 'node:net'
import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { peakMemoryOf } from '../peak-memory.js'

const MB = 1024 * 1024
/** In MB. */
const BUDGET = 256
/** The memory of the process beyond the budget, in MB: its code, transfers in progress, and garbage. */
const OVERHEAD = 512
const HEADERS = { authorization: 'Bearer sk_flood', 'content-type': 'application/json' }
const BODY = Buffer.from(
  JSON.stringify({ model: 'acme/image-1', input: { prompt: 'x'.repeat(10 * MB - 200) } }),
)

/** Prompts of 10 MB on a frozen clock, so that no task ends. */
const liveTasks: Check = {
  title: 'memory stays within its budget if no task ends',
  run: (figure) =>
    withServer(['--clock', 'manual'], async (server) => {
      const statuses = await flood(server, 200)
      figure(`200 prompts of 10 MB: ${wording(statuses)}; peak ${peakOf(server)} MB`)
      expectThat((statuses[503] ?? 0) > 100 && (statuses[200] ?? 0) > 5, 'Expected 200, and then 503')
    }),
}

const endedTasks: Check = {
  title: 'memory stays within its budget if every task ends',
  run: (figure) =>
    withServer(['instant'], async (server) => {
      const statuses = await flood(server, 40)
      figure(`40 prompts of 10 MB: ${wording(statuses)}; peak ${peakOf(server)} MB`)
      expectThat(statuses[200] === 40, 'Expected 200 only')
    }),
}

const unreadAnswers: Check = {
  title: 'memory stays within its budget if clients read no answer',
  run: (figure) =>
    withServer(['instant'], async (server) => {
      const id = await create(server)
      const sockets = await readNothing(server, id, 100)
      figure(`100 clients, answers of 10 MB: peak ${peakOf(server)} MB`)
      for (const socket of sockets) socket.destroy()
    }),
}

const uploads: Check = {
  title: 'memory stays within its budget if many files are uploaded, as bodies and in forms',
  run: (figure) =>
    withServer(['--clock', 'manual'], async (server) => {
      const { status } = await sendFile(server, 51)
      expectThat(status === 413, `Expected 413 for a file of 51 MB, got ${status}`)
      const statuses: Record<number, number> = {}
      for (let round = 0; round < 10; round++)
        for (const { status } of await Promise.all(
          [sendFile, sendForm, sendFile, sendForm].map((send) => send(server, 28)),
        ))
          statuses[status] = (statuses[status] ?? 0) + 1
      figure(`40 files of 28 MB: ${wording(statuses)}; peak ${peakOf(server)} MB`)
      const { 200: kept = 0, 204: received = 0, 503: rejected = 0 } = statuses
      expectThat(
        kept + received > 3 && kept + received + rejected === 40,
        'Expected 200 or 204, and then 503',
      )
    }),
}

export const memory: readonly Check[] = [liveTasks, endedTasks, unreadAnswers, uploads]

/** Runs an attack, and checks that the server still answers and has respected its budget. */
async function withServer(args: string[], attack: (server: Server) => Promise<void>): Promise<void> {
  const server = await Server.start([...args, '--keep-bytes', `${BUDGET}MB`])
  try {
    await attack(server)
    const { memory } = (await (await fetch(urlOf(server, '/_sim/state'))).json()) as State
    expectThat(
      memory.used_bytes <= BUDGET * MB,
      `Expected at most ${BUDGET} MB, got ${memory.used_bytes} bytes`,
    )
    const peak = peakOf(server)
    expectThat(
      peak <= BUDGET + OVERHEAD,
      `Expected a peak of ${BUDGET + OVERHEAD} MB at most, got ${peak} MB`,
    )
  } finally {
    await server.kill()
  }
}

interface State {
  readonly memory: { readonly used_bytes: number }
}

/** The number of requests by status. */
type Statuses = Readonly<Record<number, number>>

async function flood(server: Server, requests: number): Promise<Statuses> {
  const statuses: Record<number, number> = {}
  for (let number = 0; number < requests; number++) {
    const { status, body } = await post(server)
    await body?.cancel()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

async function create(server: Server): Promise<string> {
  const answer = (await (await post(server)).json()) as { id: string }
  return answer.id
}

function post(server: Server): Promise<Response> {
  return fetch(urlOf(server, '/api/v1/tasks'), { method: 'POST', headers: HEADERS, body: BODY })
}

/** Uploads a file as the body of a request. */
async function sendFile(server: Server, megabytes: number): Promise<Response> {
  const headers = { authorization: 'sk_flood', 'content-type': 'application/octet-stream' }
  const body = new Uint8Array(megabytes * MB)
  const response = await fetch(urlOf(server, '/assemblyai/v2/upload'), { method: 'POST', headers, body })
  await response.body?.cancel()
  return response
}

/** Announces a file, and uploads it in a form. */
async function sendForm(server: Server, megabytes: number): Promise<Response> {
  const body = JSON.stringify({ filename: 'x.bin', type: 'ephemeral' })
  const headers = { ...HEADERS, 'x-runway-version': '2024-11-06' }
  const announced = await fetch(urlOf(server, '/runway/v1/uploads'), { method: 'POST', headers, body })
  if (!announced.ok) return announced
  const { uploadUrl } = (await announced.json()) as { uploadUrl: string }
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(megabytes * MB)]))
  const response = await fetch(uploadUrl, { method: 'POST', body: form })
  await response.body?.cancel()
  return response
}

/** Polls a task on several connections without reading the answers. Resolves when each answer has begun. */
function readNothing(server: Server, id: string, clients: number): Promise<Socket[]> {
  const request = `GET /api/v1/tasks/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${HEADERS.authorization}\r\n\r\n`
  const begun = Array.from({ length: clients }, () => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(request))
    return new Promise<Socket>((resolve, reject) =>
      socket.once('readable', () => resolve(socket)).once('error', reject),
    )
  })
  return Promise.all(begun)
}

function urlOf({ port }: Server, path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

/** Returns the peak resident memory of a process, in MB. */
function peakOf({ pid }: Server): number {
  return Math.round(peakMemoryOf(pid))
}

function wording(statuses: Statuses): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} times ${status}`)
    .join(', ')
}
