import { expect, it, onTestFinished } from 'vitest'
import { ClientProcess } from '../../../src/cli/explore/client-process.js'
import { CrashHooks } from '../../../src/cli/explore/crash-hooks.js'
import { endOf } from '../../../src/cli/explore/run-end.js'
import { folderWith } from '../run.js'

const { PATH } = process.env
const node = (script: string) => [process.execPath, '--input-type=module', '-e', script]
const sh = (script: string) => ['sh', '-c', script]
const python = (script: string) => ['python3', '-c', script]
const hasPython = await new ClientProcess(['python3', '--version'], { PATH }).ended.catch(() => undefined)

/** Runs a command to its end. */
async function endOfCommand(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const hooks = new CrashHooks()
  onTestFinished(() => hooks.close())
  const { variables, noted } = hooks.next(env)
  const client = new ClientProcess(command, { PATH, ...env, ...variables })
  const ended = await client.ended
  await client.end()
  return endOf(ended, client, noted(), [/^FATAL .*/m])
}

it('the message of a failure is the last line that a reader sees', async () => {
  const end = await endOfCommand(sh("printf '\\033[31mno disk\\033[0m\\n\\033[0m\\n' >&2; exit 1"))
  expect(end).toMatchObject({ type: 'failure', message: 'no disk' })
})

const crash = (message: RegExp) => ({ type: 'crash', message: expect.stringMatching(message) })

it.each([
  [
    'an error that nobody catches',
    [process.execPath, '-e', "throw new Error('no disk')"],
    crash(/^uncaughtException: no disk$/),
  ],
  ['a rejection that nobody handles', node("await Promise.reject(new Error('no disk'))"), crash(/no disk/)],
  [
    'a promise that never settles',
    node('await new Promise(() => {})'),
    { ...crash(/status 13.*top-level `await`/), status: 13 },
  ],
  ['a signal', sh('kill -SEGV $$'), crash(/SIGSEGV/)],
  ['a child that a signal has ended', sh('exit 139'), crash(/139/)],
  [
    'a panic of Go',
    sh("printf 'panic: boom\\n\\ngoroutine 1 [running]:\\n' >&2; exit 2"),
    crash(/panic: boom/),
  ],
  [
    'a thread of Java',
    sh('echo \'Exception in thread "poll" java.lang.Error: boom\' >&2'),
    crash(/Exception in thread "poll" java/),
  ],
  ['a pattern of the user', sh('echo "FATAL no disk" >&2; exit 1'), crash(/^FATAL no disk$/)],
])('a command crashes by %s', async (_, command, expected) => {
  expect(await endOfCommand(command)).toEqual(expected)
})

it.each([
  ['succeeds', sh('echo FATALITY; exit 0'), { type: 'success' }],
  [
    'reports a failure',
    sh('echo no picture >&2; exit 3'),
    { type: 'failure', status: 3, message: 'no picture' },
  ],
  [
    'handles its own uncaught errors',
    node("process.on('uncaughtException', () => process.exit(4)); throw new Error('no disk')"),
    { type: 'failure', status: 4, message: '' },
  ],
  [
    'handles the error of a worker',
    node(`import { Worker } from 'node:worker_threads'
      new Worker('throw new Error("no disk")', { eval: true }).on('error', () => process.exit(5))`),
    { type: 'failure', status: 5, message: '' },
  ],
  [
    'copes with a child that has crashed',
    node(`import { spawnSync } from 'node:child_process'
      spawnSync(process.execPath, ['-e', 'throw new Error("no disk")'])`),
    { type: 'success' },
  ],
])('a command that %s does not crash', async (_, command, expected) => {
  expect(await endOfCommand(command)).toEqual(expected)
})

it.runIf(hasPython)('an error of a thread in Python is a crash, also if the program succeeds', async () => {
  const script = 'import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()'
  expect(await endOfCommand(python(script))).toEqual(crash(/ZeroDivisionError/))
})

it.runIf(hasPython)(
  'an error that ends a program in Python is a crash, and sys.exit is a failure',
  async () => {
    expect(await endOfCommand(python("raise ValueError('no disk')"))).toEqual(crash(/ValueError: no disk/))
    expect(await endOfCommand(python("import sys; sys.exit('no picture')"))).toEqual({
      type: 'failure',
      status: 1,
      message: 'no picture',
    })
  },
)

it('the options of Node that the user has set stay in force', async () => {
  const script = 'process.exit(process.execArgv.length + Number(process.title === "mine"))'
  const end = await endOfCommand(node(script), { NODE_OPTIONS: '--title=mine' })
  expect(end).toMatchObject({ type: 'failure', status: 4 })
})

it('the end of a command ends the processes that it has left behind', async () => {
  const script = `(trap 'echo ended; exit' TERM; touch ready; while :; do sleep 0.01; done) &
    until [ -e ready ]; do sleep 0.01; done`
  const client = new ClientProcess(sh(`cd '${folderWith()}'; ${script}`), { PATH })
  await client.ended
  await client.end()
  expect(client.stdout).toBe('ended\n')
})
