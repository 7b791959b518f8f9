import { type Check, expectThat } from '../../support/check.js'
import type { Server } from '../../support/server.js'
import { withServer } from '../with-server.js'

/** In milliseconds, on a busy machine. */
const LONGEST_ANSWER = 3_000
const LONGEST_SHUTDOWN = 1_000

/** Patterns with catastrophic backtracking, each with a text. */
const CATASTROPHES: readonly { pattern: string; prompt: string }[] = [
  { pattern: '^(a+)+$', prompt: `${'a'.repeat(60)}!` },
  { pattern: '^(a+)+$', prompt: `${'a'.repeat(5_000_000)}!` },
  { pattern: '(a|aa)+$', prompt: `${'a'.repeat(1_000_000)}!` },
  { pattern: '(.*a){20}b', prompt: 'a'.repeat(1_000_000) },
  { pattern: 'forbidden.*thing', prompt: 'forbidden '.repeat(100_000) },
]

/** A pattern with more states than the cache holds: the most work that a text can cause. */
const WORST = '(?:a|b)*a.{500}c'
const NOISE = Array.from(
  { length: 1_000_000 },
  (_, index) => 'ab'[(Math.imul(index, 2_654_435_761) >>> 7) % 2],
).join('')

const backtracking: Check = {
  title: 'patterns that would backtrack for ever are matched in linear time',
  run: (figure) =>
    withServer(async (server) => {
      for (const { pattern, prompt } of CATASTROPHES) {
        await replacePattern(server, pattern)
        const milliseconds = await create(server, prompt)
        figure(`${pattern} on ${prompt.length} characters: created after ${milliseconds} ms`)
        expectThat(milliseconds < LONGEST_ANSWER, `Expected an answer within ${LONGEST_ANSWER} ms`)
      }
      await replacePattern(server, WORST)
      figure(`${WORST} on ${NOISE.length} characters: created after ${await create(server, NOISE)} ms`)
    }),
}

const shutdown: Check = {
  title: 'SIGTERM ends the server within a second while patterns are matched',
  run: (figure) =>
    withServer(async (server) => {
      await replacePattern(server, WORST)
      const requests = [create(server, NOISE), create(server, NOISE)]
      for (const request of requests) request.catch(() => {})
      await fetch(`http://127.0.0.1:${server.port}/_sim/health`)
      const begin = performance.now()
      await server.stop()
      const milliseconds = Math.round(performance.now() - begin)
      figure(`ended ${milliseconds} ms after SIGTERM`)
      expectThat(milliseconds < LONGEST_SHUTDOWN, `Expected an end within ${LONGEST_SHUTDOWN} ms`)
    }),
}

const rejected: Check = {
  title: 'patterns that cannot be matched in linear time are rejected when they are loaded',
  run: (figure) =>
    withServer(async (server) => {
      for (const pattern of ['(a+)+(?!b)', '(a)\\1', '(?:(?:a{1000}){1000}){1000}']) {
        const { status, text } = await put(server, pattern)
        const { error } = JSON.parse(text)
        figure(`${pattern}: ${status} ${error.message}`)
        expectThat(status === 400, `Expected 400, got ${status}`)
      }
    }),
}

export const patterns: readonly Check[] = [backtracking, shutdown, rejected]

async function replacePattern(server: Server, pattern: string): Promise<void> {
  const { status, text } = await put(server, pattern)
  expectThat(status === 200, `Expected 200 for ${pattern}, got ${status}: ${text}`)
}

async function put({ port }: Server, matches: string): Promise<{ status: number; text: string }> {
  const when = { input: { prompt: { matches } } }
  const response = await fetch(`http://127.0.0.1:${port}/_sim/scenario`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      scenario: { extends: 'instant', rules: [{ when, then: { outcome: 'failed' } }] },
    }),
  })
  return { status: response.status, text: await response.text() }
}

/** @returns the duration in milliseconds */
async function create({ port }: Server, prompt: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt } }),
  })
  await response.text()
  expectThat(response.status === 200, `Expected 200, got ${response.status}`)
  return Math.round(performance.now() - begin)
}
