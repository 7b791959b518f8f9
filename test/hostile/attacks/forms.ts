import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { peakMemoryOf } from '../peak-memory.js'
import { Stalls } from '../stalls.js'
import { hostileForms } from './hostile-forms.js'

/** The default budget, in MB. */
const BUDGET = 512
/** Twice the budget, and the process itself, in MB. */
const MOST_MEMORY = 2 * BUDGET + 400

const TARGETS = [
  { path: '/replicate/v1/files', deletes: true },
  { path: '/openai/v1/videos', deletes: false },
] as const
const HEADERS = { authorization: 'Bearer sk_forms' }

/** Forms that are slow to read, to keep and to give back. */
export const forms: Check = {
  title: 'no form stalls other requests, or takes memory beyond twice the budget',
  async run(figure) {
    const server = await Server.start(['--clock', 'manual'])
    const stalls = new Stalls(server)
    const origin = `http://127.0.0.1:${server.port}`
    try {
      for (const { name, contentType, body, status } of hostileForms())
        for (const [index, { path, deletes }] of TARGETS.entries()) {
          const send = async () => {
            const headers = { ...HEADERS, 'content-type': contentType }
            const answer = await fetch(origin + path, { method: 'POST', headers, body: new Uint8Array(body) })
            const text = await answer.text()
            expectThat(
              answer.status === status[index],
              `${name}: expected ${status[index]}, got ${answer.status} ${text.slice(0, 200)}`,
            )
            if (deletes && answer.status === 201) await giveBack(origin + path, JSON.parse(text).id)
          }
          await stalls.measure(`${path.split('/')[1]}: ${name}`, send, figure)
        }
      const peak = Math.round(peakMemoryOf(server.pid))
      figure(`${peak} MB  peak memory`)
      stalls.check()
      expectThat(peak <= MOST_MEMORY, `Expected at most ${MOST_MEMORY} MB, got ${peak} MB`)
    } finally {
      await Promise.all([server.kill(), stalls.end()])
    }
  },
}

/** Lists the files, and deletes one. */
async function giveBack(files: string, id: string): Promise<void> {
  await (await fetch(files, { headers: HEADERS })).arrayBuffer()
  await (await fetch(`${files}/${id}`, { method: 'DELETE', headers: HEADERS })).arrayBuffer()
}
