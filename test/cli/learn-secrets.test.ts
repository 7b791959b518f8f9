import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

/** Each of them is in a header, a URL, a field or a message. */
const SECRETS = {
  key: 'own-key-of-the-service-77',
  cookie: 'c00kie-session-value',
  token: 'tok-5f1e2d3c4b5a',
  webhook: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  openai: 'sk-proj-abcdefghijklmnop',
  signature: 'a1b2c3d4e5f6a7b8c9d0',
  password: 'correct-horse',
  prompt: 'a very private prompt',
}

const URL_WITH_SECRETS = `https://user:${SECRETS.password}@cdn.example.com/a.png?X-Amz-Signature=${SECRETS.signature}&token=${SECRETS.token}`

/** Tasks whose fields contain all secrets. */
const tasks = Array.from({ length: 120 }, (_, index) => {
  const createdAt = Date.UTC(2026, 10, 1) - index * 60_000
  const common = {
    id: `task_${String(index).padStart(24, '0')}`,
    model: 'acme/image-1',
    input: {
      prompt: SECRETS.prompt,
      api_key: SECRETS.key,
      access_token: 'short',
      size: index % 2 ? 's' : 'l',
    },
    webhook: { secret: SECRETS.webhook, url: URL_WITH_SECRETS },
    created_at: new Date(createdAt).toISOString(),
    completed_at: new Date(createdAt + 9_000).toISOString(),
  }
  const message = `The key ${SECRETS.key} with ${SECRETS.openai} and Bearer ${SECRETS.jwt} was rejected by ${URL_WITH_SECRETS}.`
  return index % 3 === 0
    ? { ...common, status: 'failed', error: { code: 'rejected', message } }
    : {
        ...common,
        status: 'succeeded',
        cost_usd: index % 2 ? 0.1 : 0.2,
        output: { session_token: SECRETS.token, note: SECRETS.openai, file: URL_WITH_SECRETS },
      }
})

/** Starts a service with two pages of tasks; it rejects the second one if asked to. */
async function startService({ fails }: { readonly fails: boolean }): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const isAllowed = headers.authorization === `Bearer ${SECRETS.key}`
    const isSecond = url.includes('after=')
    const status = !isAllowed ? 401 : isSecond && fails ? 400 : 200
    const page = {
      data: isSecond ? tasks.slice(100) : tasks.slice(0, 100),
      has_more: !isSecond,
      next_cursor: isSecond ? null : tasks[99]?.id,
    }
    const error = { error: { code: 'invalid', message: `The key ${SECRETS.key} is invalid.` } }
    response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': SECRETS.cookie })
    response.end(JSON.stringify(status === 200 ? page : error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
}

/** A HAR file of a client of the service. */
function har(): string {
  const entries = tasks.flatMap((task) => {
    const headers = [
      { name: 'Authorization', value: `Bearer ${SECRETS.key}` },
      { name: 'Cookie', value: SECRETS.cookie },
    ]
    const url = `https://api.example.com/api/v1/tasks/${task.id}?token=${SECRETS.token}`
    return {
      startedDateTime: task.completed_at,
      time: 10,
      request: { method: 'GET', url, headers },
      response: {
        status: 200,
        headers: [{ name: 'Set-Cookie', value: SECRETS.cookie }],
        content: { mimeType: 'application/json', text: JSON.stringify(task) },
      },
    }
  })
  return JSON.stringify({ log: { version: '1.2', entries } })
}

/** Runs a command. @returns everything that it has written */
async function written(folder: string, args: readonly string[], sources: readonly string[] = []) {
  const env = { TASKSIM_LEARN_KEY: SECRETS.key }
  const running = runInProcess(folder, ['learn', ...args, '--key', SECRETS.key], env)
  const status = await running.ended
  const files = readdirSync(folder).filter((name) => !sources.includes(name))
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'))
  return { status, files, text: [running.stdout(), running.stderr(), ...texts].join('\n') }
}

function leaksIn(text: string, secrets: Partial<typeof SECRETS> = SECRETS): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    text.includes(secret) || text.includes(encodeURIComponent(secret)) ? [name] : [],
  )
}

it('a scenario that was learned from a service contains none of its secrets', async () => {
  const url = await startService({ fails: false })
  const { status, files, text } = await written(folderWith(), [url, '--out', 's.yaml'])
  expect([status, files]).toEqual([0, ['s.yaml']])
  expect(text).toContain('code: rejected')
  expect(leaksIn(text)).toEqual([])
})

it('the pages that an interrupted run keeps contain inputs, but no secrets', async () => {
  const url = await startService({ fails: true })
  const { status, files, text } = await written(folderWith(), [url, '--out', 's.yaml'])
  expect([status, files]).toEqual([2, ['s.yaml.partial.jsonl']])
  expect(leaksIn(text)).toEqual(['prompt'])
})

it('a scenario that was learned from a HAR file contains none of its secrets', async () => {
  const folder = folderWith({ 'client.har': har() })
  const { status, text } = await written(folder, ['client.har', '--out', 's.yaml'], ['client.har'])
  expect(status, text).toBe(0)
  expect(leaksIn(text)).toEqual([])
})
