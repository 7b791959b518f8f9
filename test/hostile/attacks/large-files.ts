import { TasksimServer } from '../../bench/tasksim-server.js'
import { SQLITE } from '../../faults/kills/ledgers.js'
import { type Attack, expectThat } from '../attack.js'
import { peakMemoryOf } from '../peak-memory.js'
import { Stalls } from '../stalls.js'

const FILE = new Uint8Array(48 * 1024 * 1024).fill(120)
/** How many files arrive at the same time: a quarter of the memory budget is for bodies. */
const AT_ONCE = 2
/** The files of the attack, twice, and the process itself, in MB. */
const MOST_MEMORY = 2 * 512 + 400
const FAL = { authorization: 'Key fal_large' }
const ASSEMBLYAI = { authorization: 'sk_large', 'content-type': 'application/octet-stream' }
const GOOGLE = { 'x-goog-api-key': 'sk_large' }
const REPLICATE = { authorization: 'Bearer sk_large' }

/** Files of 48 MB, by every way on which they reach a ledger in SQLite. */
export const largeFiles: Attack = {
  title: 'no large file stalls other requests while it is stored in a ledger',
  async run(figure) {
    const { node, url, close } = await SQLITE.open()
    const server = await TasksimServer.startWith(node, 'instant', '--ledger', url)
    const stalls = new Stalls(server)
    const origin = `http://127.0.0.1:${server.port}`
    const ask = async (path: string, init: RequestInit, method = 'POST'): Promise<Response> => {
      const answer = await fetch(path.startsWith('http') ? path : origin + path, { ...init, method })
      expectThat(answer.ok, `${path}: expected 2xx, got ${answer.status} ${await answer.clone().text()}`)
      return answer
    }
    const reset = async () => void (await ask('/_sim/reset', {}))
    const form = async () => {
      const body = new FormData()
      body.set('content', new Blob([FILE]), 'f')
      return (await ask('/replicate/v1/files', { headers: REPLICATE, body })).json()
    }
    const announced = async () => {
      const body = JSON.stringify({ file_name: 'f.png', content_type: 'image/png' })
      const headers = { ...FAL, 'content-type': 'application/json' }
      const { upload_url } = await (await ask('/fal/rest/storage/upload/initiate', { headers, body })).json()
      for (const _ of ['new', 'replaced']) await (await ask(upload_url, { body: FILE }, 'PUT')).arrayBuffer()
    }
    const onePart = async () => {
      const command = (name: string) => ({
        ...GOOGLE,
        'x-goog-upload-command': name,
        'x-goog-upload-offset': '0',
      })
      const begun = await ask('/google/upload/v1beta/files', { headers: command('start') })
      const to = begun.headers.get('x-goog-upload-url') ?? ''
      await (await ask(to, { headers: command('upload, finalize'), body: FILE })).arrayBuffer()
    }
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      'a form, and its deletion': async () => {
        const { id } = await form()
        await (await ask(`/replicate/v1/files/${id}`, { headers: REPLICATE }, 'DELETE')).arrayBuffer()
      },
      'a body': async () => {
        await (await ask('/assemblyai/v2/upload', { headers: ASSEMBLYAI, body: FILE })).arrayBuffer()
      },
      'a body for an announced file, sent twice': announced,
      'one part': onePart,
      [`${AT_ONCE} forms at once, and a reset`]: async () => {
        await Promise.all(Array.from({ length: AT_ONCE }, form))
        await reset()
      },
    }
    try {
      for (const [name, send] of Object.entries(ways)) {
        await stalls.measure(name, send, figure)
        await reset()
      }
      const peak = Math.round(peakMemoryOf(server.pid))
      figure(`${peak} MB  peak memory`)
      stalls.check()
      expectThat(peak <= MOST_MEMORY, `Expected at most ${MOST_MEMORY} MB, got ${peak} MB`)
    } finally {
      await Promise.all([server.end(), stalls.end()])
      await close()
    }
  },
}
