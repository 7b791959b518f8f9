import fc from 'fast-check'
import { mutated, mutations } from '../../ledger/mutations.js'
import { type Check, expectThat } from '../../support/check.js'
import type { Server } from '../../support/server.js'
import { withServer } from '../with-server.js'

const COUNT = 400
/** In milliseconds, on a busy machine. */
const LONGEST_ANSWER = 5_000

/** Rows that ended a process or stopped its clock before each kind of rows had a schema. */
const ROWS = [
  '{"kind":"requests","seq":0,"value":"\\u0000"}',
  '{"kind":"requests","seq":0,"value":{"toString":1}}',
  '{"kind":"delivery tally","seq":0,"value":{"opened":1,"counts":"x"}}',
  '{"kind":"meta","seq":0,"value":{"seed":"1","clock":{"speed":1e21,"now":0,"wall":0},"hasForgotten":false}}',
  '{"kind":"sandbox","seq":1,"value":{"identity":{"id":"a\\r\\nb","name":"","key":"k","root":""},"idle":1,"own":{}}}',
  '{"kind":"journal","seq":1,"value":{"oldest":1,"evicted":0,"entries":[]}}',
  '{"kind":"occurrences","seq":1,"value":-1}',
]

const READS = [
  'state',
  'tasks',
  'deliveries',
  'receivers',
  'journal',
  'metrics',
  'findings',
  'overview',
  'state.jsonl',
]

export const importedState: Check = {
  title: 'a state file with mistakes neither ends the server nor leaves it with failures',
  run: (figure) =>
    withServer(async (server) => {
      const valid = await savedState(server)
      for (const row of ROWS) {
        const file = `${valid.slice(0, valid.indexOf('\n'))}\n${row}\n{"rows":1}\n`
        const { status, text } = await ask(server, 'PUT', 'state.jsonl', file)
        expectThat(
          status === 400 && text.includes('Line 2'),
          `Expected 400 for ${row}, got ${status} ${text}`,
        )
      }
      const answers = { rejected: 0, accepted: 0 }
      let longest = 0
      for (const all of fc.sample(mutations, { numRuns: COUNT, seed: 7 })) {
        const begin = performance.now()
        const { status, text } = await ask(server, 'PUT', 'state.jsonl', mutated(valid, all))
        expectThat(status < 500, `Expected no failure, got ${status} ${text} for ${JSON.stringify(all)}`)
        if (status === 200) {
          answers.accepted += 1
          await ask(server, 'POST', 'clock', '{"advance":"1d"}')
          for (const path of READS) {
            const read = await ask(server, 'GET', path)
            expectThat(read.status < 500, `Expected no failure of ${path} after ${JSON.stringify(all)}`)
          }
        } else answers.rejected += 1
        longest = Math.max(longest, performance.now() - begin)
      }
      figure(
        `${COUNT} imports: ${answers.rejected} rejected, ${answers.accepted} accepted and used for a day`,
      )
      figure(`longest import with its use: ${Math.round(longest)} ms`)
      expectThat(longest < LONGEST_ANSWER, `Expected every import within ${LONGEST_ANSWER} ms`)
    }),
}

/** Creates tasks with webhooks and a sandbox. @returns the state with them */
async function savedState(server: Server): Promise<string> {
  await ask(server, 'POST', 'clock', '{"mode":"manual"}')
  await ask(server, 'POST', 'sandboxes', '{"name":"worker"}')
  for (const prompt of ['a', 'b', 'c', 'a']) {
    const body = { model: 'acme/image-1', input: { prompt }, webhook_url: 'http://127.0.0.1:9/hook' }
    await fetch(`http://127.0.0.1:${server.port}/api/v1/tasks`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((response) => response.text())
  }
  return (await ask(server, 'GET', 'state.jsonl')).text
}

async function ask({ port }: Server, method: string, path: string, body?: string) {
  const type = path.endsWith('.jsonl') ? 'application/jsonl' : 'application/json'
  const response = await fetch(`http://127.0.0.1:${port}/_sim/${path}`, {
    method,
    headers: { 'content-type': type },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await response.text() }
}
