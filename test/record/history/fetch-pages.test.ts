import { expect, it } from 'vitest'
import { firstPage, listForms } from '../../../src/dialects/reading/list-pages.js'
import { createSimulator } from '../../../src/index.js'
import { fetchPages } from '../../../src/record/history/fetch-pages.js'

const KEY = 'sk_live_secret'
const dialect = await createSimulator().dialects.load('tasks')
const [form] = listForms(dialect)

/** Reads all pages from a service with these answers. */
async function read(...answers: (Response | Error)[]) {
  if (form === undefined) throw new Error('There is no list')
  const log = { urls: [] as string[], waits: [] as number[], retries: [] as string[] }
  const network = {
    fetch: async (url: unknown) => {
      log.urls.push(String(url))
      const answer = answers.shift() ?? new Error('no answer')
      if (answer instanceof Error) throw answer
      return answer
    },
    wait: async (milliseconds: number) => void log.waits.push(milliseconds),
    now: () => 0,
    signal: new AbortController().signal,
    onRetry: (reason: string) => log.retries.push(reason),
  }
  const request = firstPage(dialect, form, { base: 'https://api.test', key: KEY })
  const tasks = []
  try {
    for await (const page of fetchPages(dialect, form, request, network)) tasks.push(...page.tasks)
  } catch (error) {
    return { ...log, tasks, error: (error as Error).message }
  }
  return { ...log, tasks, error: undefined }
}

const page = (id: string, next: string | null) =>
  Response.json({ data: [{ id }], has_more: next !== null, next_cursor: next })

it('the reader of lists requests one page after the other', async () => {
  const { urls, tasks } = await read(page('a', 'x'), page('b', null))
  expect(tasks).toEqual([{ id: 'a' }, { id: 'b' }])
  expect(urls).toEqual([
    'https://api.test/api/v1/tasks?limit=100',
    'https://api.test/api/v1/tasks?limit=100&after=x',
  ])
})

it('the reader of lists waits as long as the service asks, or longer and longer', async () => {
  const busy = () =>
    Response.json({ error: { message: 'Slow down.' } }, { status: 429, headers: { 'Retry-After': '7' } })
  const { waits, tasks, retries } = await read(
    busy(),
    new Error('reset'),
    new Response('', { status: 503 }),
    page('a', null),
  )
  expect([waits, tasks.length]).toEqual([[7_000, 2_000, 4_000], 1])
  expect(retries[0]).toContain('was rejected with 429: {"error":{"message":"Slow down."}}')
})

it('the reader of lists gives up after eight attempts', async () => {
  const { error, urls, waits } = await read()
  expect(error).toBe('GET https://api.test/api/v1/tasks got no answer: no answer')
  expect([urls.length, waits.at(-1)]).toEqual([8, 60_000])
})

it.each([
  [401, 'with --key'],
  [404, 'Check the base URL and --dialect.'],
])('a %i is not repeated, and the message says what to do without the key', async (status, advice) => {
  const { error, urls } = await read(Response.json({ error: `bad ${KEY}` }, { status }))
  expect([urls.length, error]).toEqual([1, expect.stringContaining(advice)])
  expect(error).not.toContain(KEY)
})

it('an answer that is not JSON is not repeated', async () => {
  const { error } = await read(new Response('<html>'))
  expect(error).toContain('returned no list in JSON, but "<html>"')
})

it('the reader of lists fails at once if nothing listens at the URL, but not after the first answer', async () => {
  const refused = () =>
    Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' }),
    })
  const { waits, error } = await read(refused())
  expect([waits, error]).toEqual([
    [],
    'GET https://api.test/api/v1/tasks got no answer: fetch failed (connect ECONNREFUSED 127.0.0.1:9). Check the URL.',
  ])
  expect(await read(page('a', 'x'), refused(), page('b', null))).toMatchObject({
    waits: [1_000],
    error: undefined,
  })
})
