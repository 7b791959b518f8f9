import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const NODE = process.execPath

/** A client that knows the simulator by its environment alone. */
const CLIENT = `
  const { TASKSIM_URL, TASKSIM_API_KEY, TASKSIM_WEBHOOK_SECRET } = process.env
  const headers = { authorization: 'Bearer ' + TASKSIM_API_KEY, 'content-type': 'application/json' }
  export const secret = TASKSIM_WEBHOOK_SECRET
  export const get = async (path) => (await fetch(new URL(path, TASKSIM_URL), { headers })).json()
  export const create = async (more = {}) => {
    const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' }, ...more })
    return (await fetch(TASKSIM_URL + '/tasks', { method: 'POST', headers, body })).json()
  }
  export const ended = async ({ id }) => {
    for (;;) {
      const task = await get('/api/v1/tasks/' + id)
      if (task.status !== 'processing') return task
    }
  }`

function folderOf(module: string): string {
  const imports = "import { create, ended, get, secret } from './client.mjs'"
  return folderWith({ 'client.mjs': CLIENT, 'main.mjs': `${imports}\n${module}` })
}

const argumentsOf = (options: readonly string[]) => ['exec', 'instant', ...options, '--', NODE, 'main.mjs']

/** Runs `tasksim exec` on a module that uses the client. */
function exec(module: string, ...options: string[]) {
  const folder = folderOf(module)
  return { folder, ...runInProcess(folder, argumentsOf(options)) }
}

/** The same in a process of its own, for tests of its signals and of what the module prints. */
function execProcess(module: string, ...options: string[]) {
  return start(folderOf(module), argumentsOf(options))
}

it('gives the command the address of the simulator, leaves stdout to it, and reports on stderr', async () => {
  const running = execProcess(
    `const task = await ended(await create())
     console.log(task.status, secret, process.env.BASE, process.env.ORIGIN)`,
    ...['--env', 'BASE=base_url', '--env', 'ORIGIN=origin', '--webhook-secret', 'whsec_of_the_test'],
  )
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(/^succeeded whsec_of_the_test (http:\/\/127\.0\.0\.1:\d+)\/api\/v1 \1\n$/)
  expect(running.stderr()).toMatch(/^tasksim exec \d+ requests, 1 task \(1 succeeded\), .* USD\n/)
})

it('passes arguments to the command unchanged', async () => {
  const script = 'console.log(JSON.stringify(process.argv.slice(1)))'
  const args = ['007', '--seed', '--', '-x', 'a b']
  const running = start(folderWith(), [
    'exec',
    '--allow-no-requests',
    '--',
    NODE,
    '-e',
    script,
    '--',
    ...args,
  ])
  expect(await running.ended).toBe(0)
  expect(JSON.parse(running.stdout())).toEqual(args)
})

it('lets the command read from stdin', async () => {
  const script = 'process.stdin.pipe(process.stdout)'
  const running = start(folderWith(), ['exec', '--allow-no-requests', '--', NODE, '-e', script])
  running.child.stdin.end('told\n')
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toBe('told\n')
})

it('exits with the status of the command, whatever the verdict is', async () => {
  const running = exec('await ended(await create()); process.exit(7)', '--max-cost', '0')
  expect(await running.ended).toBe(7)
  expect(running.stderr()).toContain('(--max-cost 0)')
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'passes %s on, and ends with status %i where the command is ended by it',
  async (signal, status) => {
    const running = execProcess("console.log('up'); setInterval(() => {}, 1000)")
    await running.printed(/up/)
    running.child.kill(signal)
    expect(await running.ended).toBe(status)
  },
)

it('lets a command handle a signal itself', async () => {
  const running = execProcess(
    "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')",
  )
  await running.printed(/up/)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(3)
})

it.each([
  [['no-such-command'], 127, 'command not found'],
  [['./client.mjs'], 126, 'it is not executable'],
])(
  'says so where the command %j cannot be run, with the status of a shell',
  async (command, status, message) => {
    const running = runInProcess(folderWith({ 'client.mjs': '' }), ['exec', '--', ...command])
    expect(await running.ended).toBe(status)
    expect(running.stderr()).toContain(message)
  },
)

it('fails on findings of the severity in --fail-on', async () => {
  const careless = `const task = await ended(await create())
    const file = await fetch(task.output.images[0], { headers: { authorization: 'Bearer sk_live_local' } })
    await file.arrayBuffer()`
  const strict = exec(careless)
  const lenient = exec(careless, '--fail-on', 'never')
  expect([await strict.ended, await lenient.ended]).toEqual([1, 0])
  for (const { stderr } of [strict, lenient]) expect(stderr()).toContain('key-sent-to-file-host')
})

it('fails if no request reached the simulator, unless an option allows it', async () => {
  const [elsewhere, lenient] = [exec(''), exec('', '--fail-on', 'never')]
  expect([await elsewhere.ended, await lenient.ended]).toEqual([1, 1])
  expect(elsewhere.stderr()).toMatch(/^error +no-requests {2}No request reached the simulator$/m)
  expect(elsewhere.stderr()).toMatch(/TASKSIM_URL.*--env API_BASE_URL=base_url.*--allow-no-requests/)
  expect(elsewhere.stderr()).toMatch(/^Failed: No request reached the simulator\.$/m)
  const allowed = exec('', '--allow-no-requests')
  expect(await allowed.ended).toBe(0)
  expect(allowed.stderr()).toMatch(/^note +no-requests/m)
  expect(allowed.stderr()).not.toContain('--allow-no-requests')
  expect(allowed.stderr()).toMatch(/^not observed +26 rules$/m)
})

it('fails if the command used only the control API, but not if it created a sandbox', async () => {
  const post = (path: string) =>
    `await fetch(new URL('/_sim/${path}', process.env.TASKSIM_URL), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`
  const [reset, sandbox] = [exec(post('reset')), exec(post('sandboxes'))]
  expect([await reset.ended, await sandbox.ended]).toEqual([1, 0])
  expect(reset.stderr()).toContain('No requests to the service, 1 to the control API.')
})

const POST_WITH_A_BAD_BODY = `
  const headers = { authorization: 'Bearer ' + process.env.TASKSIM_API_KEY, 'content-type': 'application/json' }
  const post = (path) => fetch(process.env.TASKSIM_URL + path, { method: 'POST', headers, body: '{}' })`

it('fails if every create request was rejected, and names the statuses', async () => {
  const module = `${POST_WITH_A_BAD_BODY}\nawait get('/api/v1/tasks'); await post('/tasks'); await post('/tasks')`
  const [strict, lenient] = [exec(module), exec(module, '--fail-on', 'never')]
  expect([await strict.ended, await lenient.ended]).toEqual([1, 0])
  for (const { stderr } of [strict, lenient])
    expect(stderr()).toMatch(
      /^error +all-rejected {2}No task was created: every create request was rejected\n +400 x2\.$/m,
    )
})

it('fails if every request went to an unknown path', async () => {
  const running = exec(`${POST_WITH_A_BAD_BODY}\nawait post('/none')`)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(/every request was rejected\n +404 x1\./)
})

it('does not fail if only one of several create requests was rejected', async () => {
  const running = exec(`${POST_WITH_A_BAD_BODY}\nawait post('/tasks'); await ended(await create())`)
  expect(await running.ended).toBe(0)
  expect(running.stderr()).not.toContain('all-rejected')
})

it('warns, and does not fail, if the scenario rejects every create request', async () => {
  const folder = folderWith({
    'client.mjs': CLIENT,
    'main.mjs': "import { create } from './client.mjs'\nawait create()",
    'down.yaml': 'extends: instant\nfaults: [{ then: 503 }]',
  })
  const running = runInProcess(folder, ['exec', './down.yaml', '--', NODE, 'main.mjs'])
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/^warning +all-rejected .*\n +503 x1\.$/m)
})

it('keeps the status of a command that failed before its first request', async () => {
  const running = exec('process.exit(7)')
  expect(await running.ended).toBe(7)
  expect(running.stderr()).toContain('The command exited with status 7.')
  expect(running.stderr()).toMatch(
    /^Failed: No request reached the simulator, and the command exited with status 7\.$/m,
  )
})

it.each([
  [
    'json',
    /"id": "no-requests"/,
    /"passed": false,\n {2}"failures": \[\n {4}"No request reached the simulator\."/,
  ],
  ['junit', /name="no-requests: No request reached the simulator"><failure type="error"/, /failures="1"/],
])('reports as %s that no request reached the simulator', async (format, entry, verdict) => {
  const running = exec('', '--format', format)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(entry)
  expect(running.stderr()).toMatch(verdict)
})

it('keeps its counts when the command resets the simulator', async () => {
  const running = exec(`
    for (const attempt of [1, 2]) {
      const task = await ended(await create())
      const headers = { authorization: 'Bearer sk_live_local' }
      await (await fetch(task.output.images[0], { headers })).arrayBuffer()
      await fetch(new URL('/_sim/reset', process.env.TASKSIM_URL), { method: 'POST' })
    }`)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain('2 tasks (2 succeeded)')
  expect(running.stderr().match(/had an Authorization header/g)).toHaveLength(2)
})

it('fails if the budget is exceeded, and not if it is exactly spent', async () => {
  const module = 'console.log((await ended(await create())).cost_usd)'
  const free = execProcess(module, '--max-cost', '0')
  await free.ended
  const cost = free.stdout().trim()
  const enough = exec(module, '--max-cost', cost)
  const short = exec(module, '--max-cost', String(Number(cost) - 0.000001))
  expect(Number(cost)).toBeGreaterThan(0)
  expect([await enough.ended, await short.ended]).toEqual([0, 1])
})

/** Runs a receiver beside the client, and waits until an attempt has ended. */
const RECEIVER = (status: number) => `
  import { createServer } from 'node:http'
  const server = createServer((request, response) => response.writeHead(${status}).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  await create({ webhook_url: 'http://127.0.0.1:' + server.address().port })
  for (;;) {
    const { data } = await get('/_sim/deliveries')
    if (data[0]?.attempts.length > 0) break
  }
  process.exit(0)`

it('fails on webhooks that no receiver accepted, unless --allow-undelivered is set', async () => {
  const refused = exec(RECEIVER(500))
  const allowed = exec(RECEIVER(500), '--allow-undelivered')
  const accepted = exec(RECEIVER(204))
  expect([await refused.ended, await allowed.ended, await accepted.ended]).toEqual([1, 0, 0])
  expect(refused.stderr()).toMatch(/task\.succeeded of task_\w+ to http:.*: .+ at attempt \d/)
  expect(accepted.stderr()).toContain('1 webhook delivered')
})

it('reports nothing about a receiver that rejects a forged webhook', async () => {
  const forgery = 'webhooks: { faults: [{ then: wrong_signature }] }\nextends: instant'
  const folder = folderWith({
    'client.mjs': CLIENT,
    'main.mjs': `import { create, get } from './client.mjs'\n${RECEIVER(401)}`,
    'forgery.yaml': forgery,
  })
  const running = runInProcess(folder, ['exec', './forgery.yaml', '--', NODE, 'main.mjs'])
  expect(await running.ended).toBe(0)
})

it('writes its report to a file, in the format of the file extension', async () => {
  const running = exec('await ended(await create())', '--report', 'report.xml')
  expect(await running.ended).toBe(0)
  expect(readFileSync(join(running.folder, 'report.xml'), 'utf8')).toMatch(
    /^<\?xml .*\n<testsuites tests="\d+" failures="0"/,
  )
  expect(running.stderr()).toMatch(/^tasksim exec/)
})

it('reports that it cannot write the report, and keeps the status of the command', async () => {
  const failing = exec('process.exit(7)', '--report', 'none/report.xml')
  const passing = exec('', '--report', 'none/report.xml')
  expect([await failing.ended, await passing.ended]).toEqual([7, 1])
  expect(passing.stderr()).toMatch(/tasksim: Cannot write the report to none\/report\.xml: ENOENT.*\n$/)
})

it('logs requests to stderr with --verbose', async () => {
  const running = execProcess('await ended(await create())', '--verbose')
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toBe('')
  const log = stripVTControlCharacters(running.stderr())
  expect(log).toMatch(/^[\d:.]+ <-- POST \/api\/v1\/tasks 200 task_\w+/)
})

it('exits although a handlers module keeps a resource open', async () => {
  const handlers = 'setInterval(() => {}, 1000)\nexport default []'
  const folder = folderWith({ 'handlers.mjs': handlers })
  const running = start(folder, [
    'exec',
    '--handlers',
    'handlers.mjs',
    '--allow-no-requests',
    '--',
    NODE,
    '-e',
    '',
  ])
  expect(await running.ended).toBe(0)
})

it.each([
  [
    ['npm', 'test'],
    /Unexpected argument for tasksim exec: test\.\nWrite the command after two dashes.*\nSee tasksim exec --help/,
  ],
  [[], /No command given.*tasksim exec -- npm test/],
  [['--env', 'URL=url', '--', 'true'], /--env must be NAME=VALUE.*base_url.*got "URL=url"/],
  [['--max-cost', 'much', '--', 'true'], /--max-cost must be an amount/],
  [['--speed', '0', '--', 'true'], /--speed must be/],
  [['--keep-tasks', '0', '--', 'true'], /--keep-tasks must be a whole number from 1 up/],
  [['--keep-tasks', 'few', '--', 'true'], /--keep-tasks must be/],
  [['none', '--', 'true'], /none/],
])('refuses a bad command line: tasksim exec %j', async (args, message) => {
  const running = runInProcess(folderWith(), ['exec', ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(message)
})

deepTest('runs Vitest as its command', async () => {
  const folder = folderWith({
    'package.json': '{ "type": "module" }',
    'client.mjs': CLIENT,
    'a.test.mjs': `
      import { expect, it } from 'vitest'
      import { create, ended } from './client.mjs'
      it('makes an image', async () => {
        expect((await ended(await create())).status).toBe('succeeded')
      })`,
  })
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const running = start(folder, ['exec', 'instant', '--', NODE, vitest, 'run', '--root', folder])
  expect([await running.ended, running.stderr()]).toEqual([0, expect.stringContaining('1 succeeded')])
  expect(running.stdout()).toContain('1 passed')
})
