import { expect, it } from 'vitest'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

it.each([
  [
    ['vlidate', 'a.yaml'],
    'Unknown command or scenario "vlidate": did you mean `validate`?\nGive a scenario file by its path, such as ./vlidate.yaml.\nSee tasksim --help.',
  ],
  [
    ['exec', '--sed', '7', '--', 'true'],
    'Unknown option --sed for tasksim exec: did you mean `--seed`?\nSee tasksim exec --help.',
  ],
  [['--prot=1'], 'Unknown option --prot: did you mean `--port`?\nSee tasksim --help.'],
  [
    ['--webhookUrl', 'http://x/'],
    'Unknown option --webhookUrl: did you mean `--webhook`?\nSee tasksim --help.',
  ],
  [['listen', '-x'], 'Unknown option -x for tasksim listen.\nSee tasksim listen --help.'],
  [['default', 'flaky'], 'Unexpected argument: flaky.\nSee tasksim --help.'],
  [
    ['--partition', 'a_b'],
    '--partition (or TASKSIM_PARTITION) must be 1 to 32 letters, digits or hyphens, such as `eu-1`; got "a_b".\nSee tasksim --help.',
  ],
  [['--clock', 'fast'], '--clock must be real or manual; got "fast".\nSee tasksim --help.'],
  [
    ['--clock', 'maual'],
    '--clock must be real or manual; got "maual": did you mean `manual`?\nSee tasksim --help.',
  ],
  [
    ['exec', '--fail-on', 'warnings', '--', 'true'],
    '--fail-on must be error, warning or never; got "warnings": did you mean `warning`?\nSee tasksim exec --help.',
  ],
  [
    ['trigger', 'task.suceeded', '--to', 'http://x/'],
    '<event> must be task.succeeded, task.failed, task.canceled, task.queued, task.started, task.output, task.logs or task.cancelled; got "task.suceeded": did you mean `task.succeeded`?\nSee tasksim trigger --help.',
  ],
  [['validate'], 'An argument is missing. Usage: tasksim validate <files..>\nSee tasksim validate --help.'],
  [
    ['trigger', 'task.failed'],
    'tasksim trigger requires --to: URL of the receiver.\nSee tasksim trigger --help.',
  ],
  [['--seed', '1', '--seed', '2'], '--seed was given 2 times. Give it once.\nSee tasksim --help.'],
  [
    ['exec', '--max-cost', '1', '--max-cost', '2', '--', 'true'],
    '--max-cost was given 2 times. Give it once.\nSee tasksim exec --help.',
  ],
  [['--port', ''], '--port has no value. Give one, or omit the option.\nSee tasksim --help.'],
  [['--port='], '--port has no value. Give one, or omit the option.\nSee tasksim --help.'],
  [['-p', ''], '--port has no value. Give one, or omit the option.\nSee tasksim --help.'],
  [
    ['exec', '--max-cost', ' ', '--', 'true'],
    '--max-cost has no value. Give one, or omit the option.\nSee tasksim exec --help.',
  ],
  [
    ['exec', '--max-cost=', '--', 'true', ''],
    '--max-cost has no value. Give one, or omit the option.\nSee tasksim exec --help.',
  ],
  [['--port', '1', '-p', '2'], '--port was given 2 times. Give it once.\nSee tasksim --help.'],
])('tasksim %j gets a message of its own', async (args, message) => {
  const running = runInProcess(folderWith(), args, { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' })
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toBe(`tasksim: ${message}\n`)
  expect(running.stdout()).toBe('')
})

it.each([
  [['help'], /^tasksim \[scenario\][\s\S]*tasksim exec \[scenario\][\s\S]*--port/],
  [['help', 'exec'], /^tasksim exec \[scenario\] \[options\][\s\S]*--max-cost/],
])('help is the answer to tasksim %j', async (args, text) => {
  const running = runInProcess(folderWith(), args)
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(text)
})

it('the command line does not list all names if none is similar to the word', async () => {
  const running = runInProcess(folderWith(), ['xyzzyxyzzy'])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toBe(
    'tasksim: Unknown command or scenario "xyzzyxyzzy".\nGive a scenario file by its path, such as ./xyzzyxyzzy.yaml.\nSee tasksim --help.\n',
  )
})

it.each([
  ['preview', ['instant', '--tasks', '10000001']],
  ['preview', ['instant', '--every', 'often']],
  ['exec', ['--max-cost', 'much', '--', 'true']],
  ['exec', ['--speed', '0', '--', 'true']],
  ['listen', ['--respond', 'never']],
  ['probe', ['--webhook', 'http://localhost/', '--timeout', 'long']],
])('the command line refers to the help of tasksim %s for the values of %j', async (command, args) => {
  const running = runInProcess(folderWith(), [command, ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(new RegExp(`\\nSee tasksim ${command} --help\\.\\n$`))
})

it('the command line accepts an option with several values more than once', async () => {
  const args = ['--webhook', 'http://localhost/a', '--webhook', 'localhost:1']
  const running = runInProcess(folderWith(), args)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain('--webhook must be a URL')
})
