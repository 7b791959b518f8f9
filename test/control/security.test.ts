import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../src/client/index.js'
import * as comparison from '../../src/engine/digest.js'
import { type ListenOptions, listen } from '../../src/hosts/express/index.js'
import type { AnsweredRequest } from '../../src/index.js'
import { exchange, parts } from '../http/raw-socket.js'
import { create, simulate } from '../support/simulations.js'

const TOKEN = 'a-token-that-nobody-may-write-down'
const OPEN = { host: '0.0.0.0', controlToken: TOKEN }

async function serve(options: ListenOptions = {}) {
  const sim = simulate({ receivers: [() => new Response()] })
  const errors: unknown[] = []
  const answered: AnsweredRequest[] = []
  sim.on('error', (error) => errors.push(error))
  sim.on('request.answered', (request) => answered.push(request))
  const server = await listen(sim, { port: 0, ...options })
  onTestFinished(async () => {
    sim.close()
    await server.close()
    expect(errors).toEqual([])
  })
  const { port } = new URL(server.baseUrl)
  const origin = `http://127.0.0.1:${port}`
  /** Sends a request line and headers unchanged, and returns the answer. */
  const raw = async (line: string, headers: Record<string, string> = {}) => {
    const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers })
    const text = `${line} HTTP/1.1\r\n${lines.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`
    const { received } = await exchange(origin, text)
    const { line: answer, headers: names, body } = parts(received)
    return { status: Number(answer.split(' ')[1]), headers: names.join('\n').toLowerCase(), body }
  }
  return { sim, origin, port, raw, answered, control: connect(origin, { token: TOKEN }) }
}

const STATE = 'GET /_sim/state'

it.each([
  'attacker.example',
  'attacker.example:4010',
  'localhost.attacker.example',
  'attacker.example@localhost',
  'localhost/attacker.example',
  'localhost#attacker.example',
  '127.0.0.1.nip.io',
  '[::1].attacker.example',
  '',
])('a name that was forged to resolve to the server does not reach it: %j', async (host) => {
  const { raw } = await serve()
  expect((await raw(STATE, { Host: host })).status).toBe(403)
  expect((await raw('POST /_sim/reset', { Host: host })).status).toBe(403)
  expect((await raw('GET /_sim/sandboxes/sb_1/state', { Host: host })).status).toBe(403)
})

it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:4010'])(
  'a name of this machine reaches it: %s',
  async (host) => {
    const { raw } = await serve()
    expect((await raw(STATE, { Host: host })).status).toBe(200)
  },
)

it.each([
  'https://attacker.example',
  'null',
  'http://localhost:1',
  'file://',
  'http://127.0.0.1:1',
  'garbage',
])('a page of %s does not reach it, and learns nothing', async (page) => {
  const { raw, sim } = await serve()
  await create(sim)
  for (const line of [STATE, 'POST /_sim/reset', 'OPTIONS /_sim/state', 'GET /_sim/stream']) {
    const { status, headers } = await raw(line, { Origin: page })
    expect(status).toBe(403)
    expect(headers).not.toContain('access-control')
  }
  expect(sim.counters.created).toBe(1)
})

it('its own page reaches it', async () => {
  const { raw, port } = await serve()
  expect((await raw(STATE, { Origin: `http://127.0.0.1:${port}` })).status).toBe(200)
})

it.each([[{}], [OPEN]])(
  'a page with an allowed origin reaches it, and may send a preflight: %j',
  async (options) => {
    const page = 'http://localhost:5173'
    const { raw } = await serve({ ...options, controlOrigins: [page] })
    const asked = await raw('OPTIONS /_sim/clock', {
      Origin: page,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, content-type',
    })
    expect(asked.status).toBe(204)
    expect(asked.headers).toContain(`access-control-allow-origin: ${page}`)
    expect(asked.headers).toMatch(/access-control-allow-methods: .*post/)
    expect(asked.headers).toMatch(/access-control-allow-headers: .*authorization/)
    const got = await raw(STATE, { Origin: page, Authorization: `Bearer ${TOKEN}` })
    expect([got.status, got.headers.includes(`access-control-allow-origin: ${page}`)]).toEqual([200, true])
    expect((await raw(STATE, { Origin: `${page}0`, Authorization: `Bearer ${TOKEN}` })).status).toBe(403)
  },
)

it('the control API requires its token, in a header or in the query, if it listens beyond this machine', async () => {
  const isEqual = vi.spyOn(comparison, 'isEqual')
  const { raw, control } = await serve(OPEN)
  const statuses = async (...requests: Parameters<typeof raw>[]) =>
    (await Promise.all(requests.map((request) => raw(...request)))).map(({ status }) => status)
  expect(
    await statuses(
      [STATE],
      [STATE, { Authorization: 'Bearer wrong' }],
      [STATE, { Authorization: `Bearer ${TOKEN}x` }],
      [STATE, { Authorization: `Basic ${TOKEN}` }],
      ['GET /_sim/state?token='],
      ['GET /_sim/stream'],
      ['GET /_sim/nowhere'],
      ['GET /_sim/sandboxes/sb_1/state'],
      ['HEAD /_sim/state'],
    ),
  ).toEqual(Array(9).fill(401))
  expect(
    await statuses(
      [STATE, { Authorization: `Bearer ${TOKEN}` }],
      [`GET /_sim/state?token=${TOKEN}`],
      [STATE, { Host: 'sim.example', Authorization: `Bearer ${TOKEN}` }],
    ),
  ).toEqual([200, 200, 200])
  expect((await control.state()).sandbox).toBeNull()
  // The comparison takes constant time.
  expect(isEqual).toHaveBeenCalledWith('wrong', TOKEN)
})

it('the control API generates a token if none is given', async () => {
  const { control: _, ...server } = await serve({ host: '0.0.0.0' })
  expect((await server.raw(STATE)).status).toBe(401)
})

it('the control API writes its token to no output', async () => {
  const { raw, sim, answered, control } = await serve(OPEN)
  for (const path of ['state', 'nowhere', 'tasks/none', 'scenario', 'clock'])
    for (const method of ['HEAD', 'PUT', 'GET']) await raw(`${method} /_sim/${path}?a=1&token=${TOKEN}&b=2`)
  await raw(`GET /_sim/state?%74oken=${TOKEN}`)
  await raw(STATE, { Authorization: `Bearer ${TOKEN}x` })
  const written = [
    answered,
    [...sim.journal.entries()],
    await control.journal.list({}),
    await control.state(),
  ]
  expect(JSON.stringify(written)).not.toContain(TOKEN)
  expect(answered.some(({ query }) => query === 'a=1&token=***&b=2')).toBe(true)
  expect(sim.journal.newest).toBe(0)
})

it.each([
  ['/_sim/sandboxes/../state', 404],
  ['/_sim/sandboxes/%2e%2e/state', 404],
  ['/_sim/sandboxes/sb_1/../../state', 404],
  ['/_sim/sandboxes/sb_1/..%2f..%2fstate', 404],
  ['/_sim/sandboxes/sb_1%2fstate', 404],
  ['/_sim/sandboxes/sb_1//state', 404],
  ['/_sim/sandboxes//state', 404],
  ['//_sim/state', 404],
  ['/_sim//state', 404],
  ['/_SIM/state', 404],
  ['/%5fsim/state', 404],
  ['/x/../_sim/state', 404],
  ['/api/v1/../../_sim/state', 404],
  ['/_sim\\state', 404],
  ['/_sim/sandboxes/sb_1/state/', 200],
  ['/_sim/state/', 200],
  ['/_sim/state?/../x', 200],
])('no path leads outside its sandbox: %s', async (path, status) => {
  const { raw, sim } = await serve()
  sim.createSandbox()
  const answer = await raw(`GET ${path}`)
  expect(answer.status).toBe(status)
  if (status === 200) expect(JSON.parse(answer.body).sandbox).toBe(path.includes('sb_1') ? 'sb_1' : null)
})

it('no other spelling of a rejected path is accepted', async () => {
  const { raw } = await serve(OPEN)
  for (const path of [
    '//_sim/state',
    '/./_sim/state',
    '/_sim/./state',
    'http://x/_sim/state',
    '/_sim;x/state',
  ])
    expect([401, 404]).toContain((await raw(`GET ${path}`)).status)
})

it('no cursor or id of one sandbox is valid in another', async () => {
  const { sim, control } = await serve()
  const { identity, sim: inner } = sim.createSandbox({ name: 'x' })
  const own = control.sandboxes.control(identity.id)
  const [task, foreign] = [await create(inner), await create(sim)]
  await own.receivers.add({ url: 'http://127.0.0.1:9/' })
  const { id } = await own.receivers.add({ url: 'http://127.0.0.1:9/other' })
  const refused = [
    control.tasks.list({ after: task.id }),
    own.tasks.list({ after: foreign.id }),
    control.tasks.finish(task.id),
    own.tasks.hold(foreign.id),
    control.deliveries.list({ after: 'dlv_00000001' }),
    control.receivers.remove(id),
  ]
  for (const call of await Promise.allSettled(refused))
    expect(call).toMatchObject({ status: 'rejected', reason: { name: 'ControlError' } })
  expect((await control.journal.list({ task: task.id })).data).toEqual([])
  expect((await own.receivers.list()).map((known) => known.id)).toContain(id)
})

it('a header cannot be injected into an answer', async () => {
  const { raw } = await serve()
  const forged = '%0d%0aX-Evil:%20yes'
  for (const path of [
    `/_sim/tasks/${forged}`,
    `/_sim/sandboxes/${forged}/state`,
    `/_sim/journal?type=${forged}`,
    `/${forged}`,
  ])
    expect((await raw(`GET ${path}`)).headers).not.toContain('x-evil')
  const { status, headers } = await raw(STATE, { 'X-Sim-Sandbox': 'a\tb', Origin: 'x\u007fy' })
  expect([status >= 400, headers.includes('x-evil')]).toEqual([true, false])
})
