import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TasksimServer } from '../../bench/tasksim-server.js'
import { type Attack, expectThat } from '../attack.js'
import { peakMemoryOf } from '../peak-memory.js'
import { Stalls } from '../stalls.js'
import { ACME, CREATE } from './acme.js'

/** In MB. */
const MOST_MEMORY = 600
const HEADERS = { authorization: 'Bearer sk_templates', 'content-type': 'application/json' }
const BODY = JSON.stringify({ prompt: 'x'.repeat(200_000), tags: ['a'] })

const many = (text: string) => Array.from({ length: 4_000 }, () => text)
/** Where a dialect file can repeat the input of a client. */
const PLACES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  task: { task: { id: '{{id}}', state: '{{status}}', echo: many('{{input}}') } },
  'a text of the task': { task: { id: '{{id}}', state: '{{status}}', echo: many('{{input}}').join(' ') } },
  input: { input: { prompt: many('{{body.prompt}}') } },
  keep: { keep: { echo: many('{{body}}') } },
  webhook: {
    webhook: {
      url: '{{body.hook}}',
      events: { succeeded: 'done' },
      body: { job: '{{id}}', echo: many('{{input}}') },
    },
  },
}

/** Dialect files with 4,000 placeholders for a prompt of 200 KB. */
export const templates: Attack = {
  title: 'a dialect file that repeats an input 4,000 times costs an answer, not the process',
  async run(figure) {
    for (const [place, { task, webhook, ...create }] of Object.entries(PLACES)) {
      const folder = mkdtempSync(join(tmpdir(), 'tasksim-templates-'))
      const file = join(folder, 'acme.yaml')
      writeFileSync(
        file,
        JSON.stringify({
          ...ACME,
          ...(task !== undefined && { task }),
          ...(webhook !== undefined && { webhook }),
          operations: { 'POST /jobs': { ...CREATE, ...create }, 'GET /jobs/{task_id}': 'retrieve' },
        }),
      )
      const server = await TasksimServer.start('instant', '--dialect', file)
      const stalls = new Stalls(server)
      try {
        const url = `http://127.0.0.1:${server.port}/acme/jobs`
        await stalls.measure(
          place,
          async () => {
            const answer = await fetch(url, { method: 'POST', headers: HEADERS, body: BODY })
            const text = await answer.text()
            figure(`     ${answer.status} ${text.slice(0, 100)}`)
            const id = /"id":"(\w+)"/.exec(text)?.[1]
            if (id !== undefined) await (await fetch(`${url}/${id}`, { headers: HEADERS })).arrayBuffer()
          },
          figure,
        )
        const peak = Math.round(peakMemoryOf(server.pid))
        stalls.check()
        expectThat(peak <= MOST_MEMORY, `Expected at most ${MOST_MEMORY} MB, got ${peak} MB`)
      } finally {
        await Promise.all([server.end(), stalls.end()])
        rmSync(folder, { recursive: true })
      }
    }
  },
}
