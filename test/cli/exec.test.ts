import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const NODE = process.execPath

/** A client that knows the simulator by its environment alone. */
const CLIENT = `
  const { TASKSIM_URL, TASKSIM_API_KEY, TASKSIM_WEBHOOK_SECRET, BASE, ORIGIN } = process.env
  const headers = { authorization: 'Bearer ' + TASKSIM_API_KEY, 'content-type': 'application/json' }
  const send = async (path, init) => (await fetch(new URL(path, TASKSIM_URL), { headers, ...init })).text()
  const get = async (path) => JSON.parse(await send(path))
  const post = (path, body = {}) => send(path, { method: 'POST', body: JSON.stringify(body) })
  const create = async (more) =>
    JSON.parse(await post('/api/v1/tasks', { model: 'acme/image-1', input: { prompt: 'waves' }, ...more }))
  const ended = async ({ id }) => {
    const task = await get('/api/v1/tasks/' + id)
    for (const url of task.output.images) await (await fetch(url)).arrayBuffer()
    return task
  }
`

const commandOf = (script: string) => ['--', NODE, '--input-type=module', '-e', CLIENT + script]

/** Runs `tasksim exec` on a script that uses the client. */
function exec(script: string, ...options: string[]) {
  const folder = folderWith()
  return { folder, ...runInProcess(folder, ['exec', 'instant', ...options, ...commandOf(script)]) }
}

/** The same in a process of its own, for tests of its signals and of what the script prints. */
function execProcess(script: string, ...options: string[]) {
  return start(folderWith(), ['exec', 'instant', ...options, ...commandOf(script)])
}

/** A script that does nothing starts faster in a shell. */
const shell = (script: string, ...options: string[]) => {
  const folder = folderWith()
  return { folder, ...runInProcess(folder, ['exec', 'instant', ...options, '--', 'sh', '-c', script]) }
}

it('tasksim exec gives the command the address of the simulator, leaves stdout to it, and logs and reports on stderr', async () => {
  const running = execProcess(
    `const { status } = await ended(await create())
     console.log([status, TASKSIM_WEBHOOK_SECRET, BASE, ORIGIN].join('\\n'))`,
    ...['--env', 'BASE=base_url', '--env', 'ORIGIN=origin', '--webhook-secret', 'whsec_of_the_test'],
    '--verbose',
  )
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(
    /^succeeded\nwhsec_of_the_test\n(http:\/\/127\.0\.0\.1:\d+)\/api\/v1\n\1\n$/,
  )
  const log = stripVTControlCharacters(running.stderr())
  expect(log).toMatch(/^[\d:.]+ <-- POST \/api\/v1\/tasks 200 task_\w+/)
  expect(log).toMatch(/^tasksim exec \d+ requests, 1 task \(1 succeeded\), .* USD\n/m)
})

deepTest('tasksim exec passes arguments to the command unchanged, and lets it read from stdin', async () => {
  const script = 'for argument in "$@"; do echo "$argument"; done; cat'
  const args = ['007', '--seed', '--', '-x', 'a b']
  const command = ['sh', '-c', script, 'sh', ...args]
  const running = start(folderWith(), ['exec', '--allow-no-requests', '--', ...command])
  running.child.stdin.end('told\n')
  expect(await running.ended).toBe(0)
  expect(running.stdout().trimEnd().split('\n')).toEqual([...args, 'told'])
})

deepTest('tasksim exec exits with the status of the command, whatever the verdict is', async () => {
  const running = exec('await ended(await create()); process.exit(7)', '--max-cost', '0')
  expect(await running.ended).toBe(7)
  expect(running.stderr()).toContain('(--max-cost 0)')
})

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

deepTest.each(SIGNALS)(
  'tasksim exec passes %s on, and ends with status %i where the command is ended by it',
  async (signal, status) => {
    const running = execProcess("console.log('up'); setInterval(() => {}, 1000)")
    await running.printed(/up/)
    running.child.kill(signal)
    expect(await running.ended).toBe(status)
  },
)

deepTest('tasksim exec lets a command handle a signal itself', async () => {
  const script =
    "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')"
  const running = start(folderWith(), ['exec', '--', process.execPath, '-e', script])
  await running.printed(/up/)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(3)
})

it.each([
  [['no-such-command'], 127, 'command not found'],
  [['./client.sh'], 126, 'it is not executable'],
])(
  'tasksim exec says so where the command %j cannot be run, with the status of a shell',
  async (command, status, message) => {
    const running = runInProcess(folderWith({ 'client.sh': '' }), ['exec', '--', ...command])
    expect(await running.ended).toBe(status)
    expect(running.stderr()).toContain(message)
  },
)

/** Sends a field that the service ignores, which is a warning. */
const UNKNOWN_FIELD = "await ended(await create({ colour: 'blue' }))"

it('tasksim exec fails on warnings, unless --fail-on accepts them', async () => {
  const [strict, lenient] = [exec(UNKNOWN_FIELD), exec(UNKNOWN_FIELD, '--fail-on', 'error')]
  expect([await strict.ended, await lenient.ended]).toEqual([1, 0])
  expect(strict.stderr()).toMatch(/^Failed: unknown-fields \(--fail-on warning\)\.$/m)
})

deepTest('tasksim exec never fails on notes', async () => {
  const running = exec(`
    for (const prompt of ['a', 'b', 'c']) await ended(await create({ input: { prompt } }))
    await get('/api/v1/tasks?limit=2')`)
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/^note +list-not-followed/m)
})

deepTest('tasksim exec reports findings, but does not fail on them, with --fail-on never', async () => {
  const careless = 'await send((await ended(await create())).output.images[0])'
  const strict = exec(careless)
  const lenient = exec(careless, '--fail-on', 'never')
  expect([await strict.ended, await lenient.ended]).toEqual([1, 0])
  for (const { stderr } of [strict, lenient]) expect(stderr()).toContain('key-sent-to-file-host')
})

it('tasksim exec fails if no request reached the simulator, unless an option allows it', async () => {
  const [elsewhere, lenient] = [shell(''), shell('', '--fail-on', 'never')]
  expect([await elsewhere.ended, await lenient.ended]).toEqual([1, 1])
  expect(elsewhere.stderr()).toMatch(/^error +no-requests {2}No request reached the simulator$/m)
  expect(elsewhere.stderr()).toMatch(
    /TASKSIM_URL.*--env API_BASE_URL=base_url.*start their own server.*--allow-no-requests/,
  )
  expect(elsewhere.stderr()).toMatch(/^Failed: No request reached the simulator\.$/m)
  const allowed = shell('', '--allow-no-requests')
  expect(await allowed.ended).toBe(0)
  expect(allowed.stderr()).toMatch(/^note +no-requests/m)
  expect(allowed.stderr()).not.toContain('--allow-no-requests')
  expect(allowed.stderr()).toMatch(/^not observed +33 rules$/m)
})

deepTest(
  'tasksim exec fails if the command used only the control API, but not if it created a sandbox',
  async () => {
    const [reset, sandbox] = [exec("await post('/_sim/reset')"), exec("await post('/_sim/sandboxes')")]
    expect([await reset.ended, await sandbox.ended]).toEqual([1, 0])
    expect(reset.stderr()).toContain('No requests to the service, 1 to the control API.')
  },
)

const BAD_REQUEST = "await post('/api/v1/tasks')"

deepTest('tasksim exec fails if every create request was rejected, and names the statuses', async () => {
  const script = `await get('/api/v1/tasks'); ${BAD_REQUEST}; ${BAD_REQUEST}`
  const [strict, lenient] = [exec(script), exec(script, '--fail-on', 'never')]
  expect([await strict.ended, await lenient.ended]).toEqual([1, 0])
  for (const { stderr } of [strict, lenient])
    expect(stderr()).toMatch(
      /^error +all-rejected {2}No task was created: every create request was rejected\n +400 x2\.$/m,
    )
})

deepTest('tasksim exec fails if every request went to an unknown path', async () => {
  const running = exec("await post('/api/v1/none')")
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(
    /every request was rejected\n +404 x1\.\n +There is nothing at POST \/api\/v1\/none\.$/m,
  )
})

deepTest('tasksim exec does not fail if only one of several create requests was rejected', async () => {
  const running = exec(`${BAD_REQUEST}; await ended(await create())`)
  expect(await running.ended).toBe(0)
  expect(running.stderr()).not.toContain('all-rejected')
})

deepTest('tasksim exec notes, and does not fail, if the scenario rejects every create request', async () => {
  const folder = folderWith({ 'down.yaml': 'extends: instant\nfaults: [{ then: 503 }]' })
  const running = runInProcess(folder, [
    'exec',
    './down.yaml',
    ...commandOf("await post('/api/v1/tasks', { model: 'acme/image-1', input: {} })"),
  ])
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/^note +all-rejected .*\n +503 x1\.$/m)
})

deepTest('tasksim exec keeps the status of a command that failed before its first request', async () => {
  const running = shell('exit 7')
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
])('tasksim exec reports as %s that no request reached the simulator', async (format, entry, verdict) => {
  const running = shell('', '--format', format)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(entry)
  expect(running.stderr()).toMatch(verdict)
})

deepTest('tasksim exec keeps its counts when the command resets the simulator', async () => {
  const running = exec(`
    for (const attempt of [1, 2]) {
      await send((await ended(await create())).output.images[0])
      await post('/_sim/reset')
    }`)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain('2 tasks (2 succeeded)')
  expect(running.stderr().match(/had an Authorization header/g)).toHaveLength(2)
})

const FAULTY = `
extends: instant
faults:
  - { name: busy list, when: { operation: tasks.list }, then: [429] }
  - { name: lost poll, when: { operation: tasks.retrieve, nth: 9 }, then: reset }`

/** Runs the script under a scenario whose faults it may or may not meet. */
function execFaulty(script: string, ...options: string[]) {
  const folder = folderWith({ 'faulty.yaml': FAULTY })
  return { folder, ...runInProcess(folder, ['exec', './faulty.yaml', ...options, ...commandOf(script)]) }
}

it('tasksim exec names the faults that never applied, and fails on them with --strict', async () => {
  const script = "await ended(await create()); await get('/api/v1/tasks')"
  const [lenient, strict] = [execFaulty(script), execFaulty(script, '--strict')]
  expect([await lenient.ended, await strict.ended]).toEqual([0, 1])
  expect(lenient.stderr()).toMatch(/^note +never-applied {2}.*\n +lost poll of \S*faulty\.yaml:5\n +The run/m)
  expect(strict.stderr()).toMatch(/^error +never-applied/m)
  expect(strict.stderr()).toMatch(
    /^Failed: Some rules and faults of the scenario never applied \(--strict\)\.$/m,
  )
})

deepTest(
  'tasksim exec counts how often faults applied across resets and changes of the scenario',
  async () => {
    const running = execFaulty(
      `await get('/api/v1/tasks')
     await post('/_sim/reset')
     const busy = { name: 'busy', when: { operation: 'tasks.create' }, then: [503] }
     await send('/_sim/scenario', { method: 'PATCH', body: JSON.stringify({ faults: [busy] }) })
     await create()
     await ended(await create())
     await post('/_sim/reset')`,
      ...['--strict', '--format', 'json', '--fail-on', 'never'],
    )
    expect(await running.ended).toBe(1)
    const { results } = JSON.parse(running.stderr())
    const { rules } = results.find(({ id }: { id: string }) => id === 'never-applied')
    expect(rules.map(({ name, count }: { name: string; count: number }) => [name, count])).toEqual([
      ['busy list', 1],
      ['lost poll', 0],
      ['busy', 1],
    ])
  },
)

it('tasksim exec says how many tasks had not ended when the command ended', async () => {
  const options = ['exec', 'stuck', ...commandOf('await create()')]
  const { ended, stderr } = runInProcess(folderWith(), options)
  expect(await ended).toBe(1)
  expect(stderr()).toContain('1 task (1 unfinished)')
})

it('tasksim exec says how many webhooks were still due when the command ended, and passes no rule about them', async () => {
  const folder = folderWith({
    'late.yaml': 'extends: instant\nwebhooks: { faults: [{ then: { delay: 1h } }] }',
  })
  const running = runInProcess(folder, [
    'exec',
    './late.yaml',
    '--webhook',
    'http://127.0.0.1:9/hooks',
    ...commandOf('await create()'),
  ])
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toContain('0 webhooks delivered, 1 still due, ')
  expect(running.stderr()).toMatch(
    /^ +result-never-learned, .*: The run ended before the webhook of a task was due\. Let it last/m,
  )
})

it('tasksim exec says what would provoke each mistake that it could not observe', async () => {
  const running = exec('await ended(await create())')
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(
    /^not observed +\d+ rules; to observe them:\n +pays-twice, orphans-task: Run the scenario lost-create-response or unanswered-create\.\n/m,
  )
  expect(running.stderr()).toMatch(/^ +retries-rejected: Run the scenario out-of-credits\.$/m)
})

it('takes the end of a command for the end of its wait', async () => {
  const wait = "const { id } = await create(); await get('/api/v1/tasks/' + id)"
  const running = runInProcess(folderWith(), ['exec', 'stuck', ...commandOf(wait)])
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/^ok .*\bpolls-without-end\b/m)
})

it('says that a scenario of the run did not give the client an occasion', async () => {
  const options = ['rate-limited', '--webhook-secret', 'whsec_of_the_test']
  const running = runInProcess(folderWith(), ['exec', ...options, ...commandOf('await create()')])
  await running.ended
  expect(running.stderr()).toMatch(
    /^ +ignores-retry-after: This run had `rate-limited`, but no occasion .* more than ten create requests in a minute/m,
  )
})

deepTest('tasksim exec fails if the budget is exceeded, and not if it is exactly spent', async () => {
  const script =
    'import { writeFileSync } from "node:fs"; const { cost_usd } = await ended(await create()); writeFileSync("cost", String(cost_usd))'
  const free = exec(script)
  expect(await free.ended).toBe(0)
  const cost = Number(readFileSync(join(free.folder, 'cost'), 'utf8'))
  const enough = exec(script, '--max-cost', String(cost))
  const short = exec(script, '--max-cost', String(cost - 0.000001))
  expect(cost).toBeGreaterThan(0)
  expect([await enough.ended, await short.ended]).toEqual([0, 1])
})

/** Starts a receiver, and returns a script that creates a task for it and waits until an attempt has ended. */
async function scriptFor(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return `await ended(await create({ webhook_url: '${url}' }))
    while (!(await send('/_sim/deliveries')).includes('"attempts":[{'));`
}

deepTest(
  'tasksim exec fails on webhooks that no receiver accepted, unless --allow-undelivered is set',
  async () => {
    const refused = exec(await scriptFor(500))
    const allowed = exec(await scriptFor(500), '--allow-undelivered')
    const accepted = exec(await scriptFor(204))
    expect([await refused.ended, await allowed.ended, await accepted.ended]).toEqual([1, 0, 0])
    expect(refused.stderr()).toMatch(/task\.succeeded of task_\w+ to http:.*: .+ at attempt \d/)
    expect(accepted.stderr()).toContain('1 webhook delivered')
  },
)

deepTest('tasksim exec reports nothing about a receiver that rejects a forged webhook', async () => {
  const forgery = 'webhooks: { retries: [1h], faults: [{ then: wrong_signature }] }\nextends: instant'
  const folder = folderWith({ 'forgery.yaml': forgery })
  const command = commandOf(await scriptFor(401))
  const running = runInProcess(folder, ['exec', './forgery.yaml', ...command])
  expect(await running.ended).toBe(0)
})

deepTest('tasksim exec writes its report to a file, in the format of the file extension', async () => {
  const running = exec('await ended(await create())', '--report', 'report.xml')
  expect(await running.ended).toBe(0)
  expect(readFileSync(join(running.folder, 'report.xml'), 'utf8')).toMatch(
    /^<\?xml .*\n<testsuites tests="\d+" failures="0"/,
  )
  expect(running.stderr()).toMatch(/^tasksim exec/)
})

deepTest(
  'tasksim exec reports that it cannot write the report, and keeps the status of the command',
  async () => {
    const failing = shell('exit 7', '--report', 'none/report.xml')
    const passing = shell('', '--report', 'none/report.xml')
    expect([await failing.ended, await passing.ended]).toEqual([7, 1])
    expect(passing.stderr()).toMatch(/tasksim: Cannot write the report to none\/report\.xml: ENOENT.*\n$/)
  },
)

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
])('tasksim exec refuses a bad command line: %j', async (args, message) => {
  const running = runInProcess(folderWith(), ['exec', ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(message)
})

deepTest('tasksim exec runs Vitest as its command', async () => {
  const folder = folderWith({
    'package.json': '{ "type": "module" }',
    'a.test.mjs': `
      import { expect, it } from 'vitest'
      it('makes an image', async () => {
        const { TASKSIM_URL, TASKSIM_API_KEY } = process.env
        const headers = { authorization: 'Bearer ' + TASKSIM_API_KEY, 'content-type': 'application/json' }
        const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
        const created = await fetch(TASKSIM_URL + '/tasks', { method: 'POST', headers, body })
        const answer = await fetch(TASKSIM_URL + '/tasks/' + (await created.json()).id, { headers })
        const { status, output } = await answer.json()
        expect(status).toBe('succeeded')
        await (await fetch(output.images[0])).arrayBuffer()
      })`,
  })
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const running = start(folder, ['exec', 'instant', '--', NODE, vitest, 'run', '--root', folder])
  expect([await running.ended, running.stderr()]).toEqual([0, expect.stringContaining('1 succeeded')])
  expect(running.stdout()).toContain('1 passed')
})

deepTest('unsets variables that would send the client of a dialect to another service', async () => {
  const run = (script: string, ...options: string[]) => {
    const args = ['exec', 'instant', '--dialect', 'google', '--allow-no-requests', ...options]
    const env = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'a-real-key' }
    return runInProcess(folderWith(), [...args, '--', 'sh', '-c', script], env)
  }
  const running = run('test -z "$GOOGLE_GENAI_USE_VERTEXAI$GOOGLE_API_KEY" && test -n "$GEMINI_API_KEY"')
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/unset GOOGLE_GENAI_USE_VERTEXAI.*\n.*unset GOOGLE_API_KEY/)
  // A variable that the user asks for stays.
  expect(await run('test -n "$GOOGLE_API_KEY"', '--env', 'GOOGLE_API_KEY=api_key').ended).toBe(0)
})
