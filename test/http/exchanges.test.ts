import { expect, it } from 'vitest'
import { describeHosts, IMAGE, type Send } from './hosts.js'

// Both hosts must give the bytes that stand in fixtures/exchanges. `npx vitest run test/http --update` writes them anew after a
// change on purpose; what changed shows in the diff.

const SHOWN = ['allow', 'content-length', 'content-type', 'www-authenticate', 'x-request-id']

interface Step {
  readonly method?: string
  readonly path: string
  readonly key?: string | null
  readonly body?: object | string
}

async function exchange(
  send: Send,
  origin: string,
  { method = 'GET', path, key = 'sk_live_local', body }: Step,
) {
  const headers: Record<string, string> = {}
  if (key !== null) headers['authorization'] = `Bearer ${key}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const response = await send(path, { method, headers, ...(text !== undefined && { body: text }) })
  const answer = await response.text()
  const seen = new Headers(response.headers)
  // A fetch answer in process has no Content-Length. On the wire it must be that of the body.
  seen.set('content-length', seen.get('content-length') ?? String(Buffer.byteLength(answer)))
  return [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(text === undefined ? [] : ['', text]),
    '',
    `HTTP ${response.status}`,
    ...SHOWN.filter((name) => seen.has(name)).map(
      (name) => `${name}: ${normalize(name, seen.get(name), answer)}`,
    ),
    '',
    answer.replaceAll(origin, 'http://HOST'),
    '',
  ].join('\n')

  function normalize(name: string, value: string | null, whole: string): string | null {
    if (name !== 'content-length') return value
    expect(Number(value)).toBe(Buffer.byteLength(whole))
    return String(Buffer.byteLength(whole.replaceAll(origin, 'http://HOST')))
  }
}

function golden(name: string): string {
  return new URL(`../../fixtures/exchanges/${name}.http`, import.meta.url).pathname
}

describeHosts('the golden exchanges', (open) => {
  it('of a task from its creation to its file are unchanged', async () => {
    const { sim, send, origin, post } = await open()
    const { id } = (await post('/api/v1/tasks', IMAGE)).body
    await sim.reset()
    const steps = [
      await exchange(send, origin, { method: 'POST', path: '/api/v1/tasks', body: IMAGE }),
      await exchange(send, origin, { path: `/api/v1/tasks/${id}` }),
    ]
    await sim.clock.advance('2s')
    steps.push(
      await exchange(send, origin, { path: `/api/v1/tasks/${id}` }),
      await exchange(send, origin, { path: '/v1/task?limit=1' }),
      await exchange(send, origin, { method: 'POST', path: `/api/v1/tasks/${id}/cancel` }),
    )
    await expect(steps.join('\n')).toMatchFileSnapshot(golden('image-task'))
  })

  it('of a canceled task are unchanged', async () => {
    const { send, origin, post, sim } = await open()
    const body = { model: 'acme/video-1', input: { prompt: 'waves' }, webhook_url: 'http://127.0.0.1:9/hook' }
    const { id } = (await post('/api/v1/tasks', body)).body
    await sim.reset()
    const steps = [
      await exchange(send, origin, { method: 'POST', path: '/v1/task', body }),
      await exchange(send, origin, { method: 'POST', path: `/v1/task/${id}/cancel` }),
      await exchange(send, origin, { path: '/v1/tasks?status=canceled' }),
    ]
    await expect(steps.join('\n')).toMatchFileSnapshot(golden('canceled-task'))
  })

  it('of rejected requests are unchanged', async () => {
    const { send, origin } = await open()
    const path = '/api/v1/tasks'
    const steps: Step[] = [
      { path, key: null },
      { method: 'POST', path, body: '' },
      { method: 'POST', path, body: { input: {} } },
      { method: 'POST', path, body: { model: 'm', input: 'a cat' } },
      { method: 'POST', path, body: { model: 'm', input: {}, webhook_url: 'ftp://example.com' } },
      { path: `${path}?limit=1000` },
      { path: `${path}/task_unknown` },
      { method: 'PATCH', path },
      { path: '/files/task_unknown/0.png' },
    ]
    const exchanges: string[] = []
    for (const step of steps) exchanges.push(await exchange(send, origin, step))
    await expect(exchanges.join('\n')).toMatchFileSnapshot(golden('rejections'))
  })
})
