import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deepTest } from '../../support/deep.js'
import { folderWith, start } from '../run.js'
import { runInProcess } from '../run-in-process.js'

/** A client that pays twice for a lost answer, and crashes if an answer is not JSON. */
const CLIENT = `
  const { TASKSIM_URL, TASKSIM_API_KEY } = process.env
  const headers = { authorization: 'Bearer ' + TASKSIM_API_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const create = () => fetch(TASKSIM_URL + '/tasks', { method: 'POST', headers, body }).catch(create)
  const created = await (await create()).json()
  if (!created.id) {
    console.error('refused: ' + created.error.code)
    process.exit(1)
  }
  const task = await (await fetch(TASKSIM_URL + '/tasks/' + created.id, { headers })).json()
  console.log(task.status)
`

/** A client that sends another request if it has run before in the same folder. */
const STATEFUL = `
  const { existsSync, writeFileSync } = require('node:fs')
  const path = existsSync('state') ? '/tasks' : '/tasks/task_1'
  writeFileSync('state', '')
  fetch(process.env.TASKSIM_URL + path, { headers: { authorization: 'Bearer ' + process.env.TASKSIM_API_KEY } })
`

function explore(folder: string, ...words: string[]) {
  return runInProcess(folder, ['explore', 'instant', ...words])
}

const only = (...ids: string[]) => ids.flatMap((id) => ['--only', `tasks.create#1:${id}`])
const COMMAND = ['--', process.execPath, 'client.mjs']

it('an exploration says what a client made of each failure, and how to repeat a run', async () => {
  const folder = folderWith({ 'client.mjs': CLIENT })
  const running = explore(
    folder,
    ...only('lost', 'html', '402'),
    '--format',
    'json',
    '--seed',
    '7',
    ...COMMAND,
  )
  expect(await running.ended).toBe(1)
  const { runs, problems } = JSON.parse(running.stdout())
  const results = runs.map(({ id, result, status }: Record<string, unknown>) => [id, result, status])
  expect(results).toEqual([
    ['tasks.create#1:html', 'crashed', undefined],
    ['tasks.create#1:lost', 'paid_twice', 0],
    ['tasks.create#1:402', 'reported', 1],
  ])
  expect(problems[1].repeat).toBe(
    `tasksim explore instant --seed 7 --only 'tasks.create#1:lost' -- ${process.execPath} client.mjs`,
  )
  expect(running.stderr()).toMatch(/^tasksim: 3 runs, about \d+ s$/m)
})

it('problems that are accepted do not fail an exploration, and each is written as a scenario and a test', async () => {
  const folder = folderWith({ 'client.mjs': CLIENT })
  const first = explore(folder, ...only('lost'), '--accept', '--write', 'problems', ...COMMAND)
  expect(await first.ended).toBe(1)
  const [test = '', scenario = ''] = readdirSync(join(folder, 'problems'))
  expect(readFileSync(join(folder, 'problems', test), 'utf8')).toContain(
    `${scenario} lets the same failure happen`,
  )
  const [, written = ''] =
    /const args = (.*)/.exec(readFileSync(join(folder, 'problems', test), 'utf8')) ?? []
  expect(written).toContain('"--only","tasks.create#1:lost"')
  const second = explore(folder, ...only('lost'), ...COMMAND)
  expect(await second.ended).toBe(0)
  expect(second.stdout()).toContain('1 accepted')
  // The written test fails as long as the problem is there.
  expect(await start(folder, JSON.parse(written).slice(1)).ended).toBe(1)
  const [, line = ''] = readFileSync(join(folder, 'problems', scenario), 'utf8').split('\n')
  const exec = start(folder, line.replace(/^# +tasksim /, '').split(' '))
  expect(await exec.ended).toBe(1)
  expect(exec.stderr()).toContain('pays-twice')
})

it('a command that fails without any failure of the service ends the exploration with its output', async () => {
  const running = explore(folderWith(), '--', 'sh', '-c', 'echo no key; echo bad setting >&2; exit 3')
  expect(await running.ended).toBe(2)
  expect(running.stderr()).toMatch(/fails even without failures of the service: bad setting/)
  expect(running.stderr()).toMatch(/^no key$/m)
  expect(running.stdout()).toBe('')
})

it.each([
  ['without a command', [], /No command given/],
  [
    'with a program that does not exist',
    ['--', 'no-such-program'],
    /Cannot run "no-such-program": command not found/,
  ],
  ['with jobs on one port', ['--jobs', '2', '--port', '4010', '--', 'true'], /leave out --port/],
  [
    'with a wrong pattern',
    ['--crash-pattern', '(', '--', 'true'],
    /--crash-pattern: Invalid regular expression/,
  ],
  ['with a wrong budget', ['--budget', 'long', '--', 'true'], /--budget must be/],
  ['with a list that does not exist', ['--accepted', 'no.yaml', '--', 'true'], /the file does not exist/],
  ['whose report has no folder', ['--report', 'no/report.xml', '--', 'true'], /There is no folder no/],
  [
    'whose preparation fails',
    ['--before', 'echo no database; exit 4', '--', 'true'],
    /--before .* 4: no database/,
  ],
  ['whose command sends no request', ['--', 'true'], /sends no request to the simulator.*--intercept/],
  [
    'whose command fails before it sends a request',
    ['--dialect', 'openai', '--', 'false'],
    /fails even without failures.* sends no request to the simulator.*OPENAI_BASE_URL.*--intercept/,
  ],
  [
    'of an official client that reads no address, and sends no request,',
    ['--dialect', 'replicate', '--', 'true'],
    /sends no request to the simulator.*\n.*reads no address from the environment/,
  ],
  [
    'whose second run finds the state of the first',
    ['--', process.execPath, '-e', STATEFUL],
    /no place in common .*--before COMMAND/,
  ],
])('an exploration %s exits with status 2', async (_, words, message) => {
  const running = explore(folderWith(), ...words)
  expect(await running.ended).toBe(2)
  expect(running.stderr()).toMatch(message)
})

it('each run begins with the command of --before, and knows its id', async () => {
  const folder = folderWith({
    'client.mjs': `import { existsSync, writeFileSync } from 'node:fs'
      if (existsSync('state')) process.exit(9)
      writeFileSync('state', process.env.TASKSIM_RUN)
      ${CLIENT}`,
  })
  const running = explore(
    folder,
    ...only('402'),
    '--before',
    'cat state >> runs; rm -f state; echo >> runs',
    ...COMMAND,
  )
  expect(await running.ended).toBe(0)
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('\nbaseline\nbaseline\n')
  expect(readFileSync(join(folder, 'state'), 'utf8')).toBe('tasks.create#1:402')
})

it('a list of the runs needs only the run without failures', async () => {
  const folder = folderWith({ 'client.mjs': CLIENT })
  const running = explore(folder, '--list', '--deviations', 'lost,stuck', ...COMMAND)
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toBe('tasks.create#1:lost\ntask#1:stuck\n')
})

it('Ctrl-C ends the client, and tasksim reports what is known', async () => {
  const folder = folderWith({
    'client.mjs': `import { writeFileSync } from 'node:fs'
      ${CLIENT}
      if (process.env.TASKSIM_RUN.endsWith(':503') || process.env.TASKSIM_RUN.endsWith(':slow')) {
        writeFileSync('pid', String(process.pid))
        setInterval(() => {}, 1_000)
        console.log('waits')
      }`,
  })
  const words = ['explore', 'instant', ...only('402', 'slow'), '--verbose', ...COMMAND]
  const running = start(folder, words)
  const waits = new Promise<void>((resolve) => {
    running.child.stderr.on('data', () => running.stderr().includes('waits') && resolve())
  })
  await waits
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(130)
  expect(running.stdout()).toMatch(/interrupted before|1 run:|0 runs:/)
  expect(existsSync(join(folder, 'pid'))).toBe(true)
  expect(() => process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0)).toThrow('ESRCH')
})

deepTest('a client that does not end is ended, with what it has started', async () => {
  const folder = folderWith({ 'client.mjs': CLIENT })
  const words = [...only('hang'), '--speed', '100', '--patience', '1000s', '--format', 'json', ...COMMAND]
  const running = explore(folder, ...words)
  expect(await running.ended).toBe(1)
  expect(JSON.parse(running.stdout()).runs).toMatchObject([{ result: 'hung' }])
})
