import { type Check, eventually, expectThat } from '../../support/check.js'
import { startReceiver } from '../../support/receiver.js'
import type { Server } from '../../support/server.js'
import { Stalls } from '../stalls.js'
import { withServer } from '../with-server.js'

/** The longest accepted text, in characters. */
const MAX_CHARACTERS = 100_000
/** In milliseconds, on a busy machine. The longest text takes only a part of it. */
const LONGEST_ANSWER = 5_000

/** Texts of the maximum length, with the expected status. */
const TEXTS: readonly { what: string; text: string; expected: number }[] = [
  { what: 'unknown fields', text: filled('', (index) => `key${index}: 1\n`), expected: 400 },
  { what: 'misspelled fields', text: filled('kinds:\n', (index) => ` vid${index}: {}\n`), expected: 400 },
  { what: 'wrong words', text: filled('rules:\n', () => '- then: { outcome: faild }\n'), expected: 400 },
  { what: 'repeated fields', text: filled('models:\n', () => ' a: {}\n'), expected: 400 },
  { what: 'syntax errors', text: filled('', () => 'a: @b\n'), expected: 400 },
  { what: 'unknown aliases', text: filled('seed:\n', () => ' - *a\n'), expected: 400 },
  { what: 'aliases', text: filled('seed: &a 1\nauth:\n', () => ' - *a\n'), expected: 400 },
  {
    what: 'anchors and aliases',
    text: filled('auth:\n', (index) => ` - &a${index} 1\n - *a${index}\n`),
    expected: 400,
  },
  { what: 'tags', text: filled('auth:\n', () => ' - !foo 1\n'), expected: 400 },
  { what: 'brackets', text: '['.repeat(MAX_CHARACTERS), expected: 400 },
  { what: 'blank lines', text: filled('seed: 1\n', () => '\n'), expected: 200 },
  { what: 'rules', text: filled('rules:\n', (index) => `- { name: r${index}, then: {} }\n`), expected: 200 },
  { what: 'models', text: filled('models:\n', (index) => ` acme/m${index}: { delay: 1s }\n`), expected: 200 },
]

/** The text of the bug report, which a length limit now rejects. */
const tooLong: Check = {
  title: 'a scenario text of any length is answered at once',
  run: (figure) =>
    withServer(async (server) => {
      for (const count of [40_000, 600_000]) {
        const text = Array.from({ length: count }, (_, index) => `key${index}: 1\n`).join('')
        const { status, milliseconds } = await timed(server, 'PUT', '/_sim/scenario', { text })
        figure(`${count} unknown fields, ${text.length} characters: ${status} after ${milliseconds} ms`)
        expectThat(
          [400, 413].includes(status) && milliseconds < 1_000,
          'Expected a rejection within a second',
        )
      }
    }),
}

const longest: Check = {
  title: 'a scenario text of the longest length is read in linear time',
  run: (figure) =>
    withServer(async (server) => {
      for (const { what, text, expected } of TEXTS) {
        const { status, milliseconds, answer } = await timed(server, 'PUT', '/_sim/scenario', { text })
        figure(`${what}: ${status} after ${milliseconds} ms`)
        expectThat(status === expected, `Expected ${expected} for ${what}, got ${status}`)
        expectThat(milliseconds < LONGEST_ANSWER, `Expected ${what} within ${LONGEST_ANSWER} ms`)
        expectThat(
          answer.length < 3 * MAX_CHARACTERS,
          `Expected a bounded answer, got ${answer.length} characters`,
        )
      }
    }),
}

const otherWays: Check = {
  title: 'a scenario text has the same limits as an object, a patch, a preview and in a sandbox',
  run: (figure) =>
    withServer(async (server) => {
      const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))
      const rules = Array.from({ length: 50_000 }, () => ({ then: {} }))
      const text = filled('', (index) => `key${index}: 1\n`).repeat(3)
      const ways = [
        // An object with this many values exceeds the limit of a request body first.
        ['PUT', '/_sim/scenario', { scenario: fields }, 413],
        ['PATCH', '/_sim/scenario', fields, 413],
        ['POST', '/_sim/preview', { scenario: { rules: [...rules, ...rules] } }, 413],
        ['POST', '/_sim/preview', { text }, 400],
        ['POST', '/_sim/sandboxes', { text }, 400],
        ['POST', '/_sim/sandboxes', { scenario: fields }, 413],
      ] as const
      for (const [method, path, body, expected] of ways) {
        const { status, milliseconds } = await timed(server, method, path, body)
        figure(`${method} ${path}: ${status} after ${milliseconds} ms`)
        expectThat(status === expected, `Expected ${expected} for ${method} ${path}, got ${status}`)
        expectThat(milliseconds < LONGEST_ANSWER, `Expected an answer within ${LONGEST_ANSWER} ms`)
      }
      const statuses: number[] = []
      const patch = { rules: rules.slice(0, 20_000) }
      while (statuses.length < 10 && statuses.at(-1) !== 400)
        statuses.push((await timed(server, 'PATCH', '/_sim/scenario', patch)).status)
      figure(`patches of 20,000 rules each: ${statuses.join(', ')}`)
      expectThat(statuses.at(-1) === 400, 'Expected that patches cannot make the scenario grow without bound')
    }),
}

/** The fields of a webhook that become null. */
const FIELDS = 3_000

const webhookFields: Check = {
  title: 'a webhook with thousands of changed fields stalls no other request',
  run: (figure) =>
    withServer(async (server) => {
      const nulls = Array.from({ length: FIELDS }, (_, index) => `a${index}.b`)
      const patch = Object.fromEntries(nulls.map((name) => [name, { c: 1 }]))
      const { status } = await timed(server, 'PATCH', '/_sim/scenario', {
        webhooks: { retries: [], faults: [{ then: { nulls, patch } }] },
      })
      expectThat(status === 200, `Expected that the scenario is accepted, got ${status}`)
      const stalls = new Stalls(server)
      const { url, bodies, close } = await startReceiver()
      try {
        const body = JSON.stringify({ model: 'acme/image-1', input: {}, webhook_url: url })
        const send = async () => {
          const count = bodies.length
          await (await server.fetch('/api/v1/tasks', { method: 'POST', body })).text()
          await eventually('the webhook arrives', () => bodies.length > count)
        }
        await stalls.measure(`${FIELDS} fields`, send, figure)
        stalls.check()
      } finally {
        close()
        await stalls.end()
      }
    }),
}

export const scenarioText: readonly Check[] = [tooLong, longest, otherWays, webhookFields]

function filled(start: string, line: (index: number) => string): string {
  const lines: string[] = [start]
  let length = start.length
  for (let index = 0; ; index++) {
    const next = line(index)
    length += next.length
    if (length > MAX_CHARACTERS) return lines.join('')
    lines.push(next)
  }
}

async function timed(
  { port }: Server,
  method: string,
  path: string,
  body: object,
): Promise<{ status: number; milliseconds: number; answer: string }> {
  const begin = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.text()
  return { status: response.status, milliseconds: Math.round(performance.now() - begin), answer }
}
