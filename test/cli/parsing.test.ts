import { expect, it } from 'vitest'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

it.each([
  [
    ['vlidate', 'a.yaml'],
    'There is no command and no shipped scenario "vlidate": did you mean `validate`?\nA scenario file is given by its path, such as ./vlidate.yaml.\nSee tasksim --help.',
  ],
  [
    ['exec', '--sed', '7', '--', 'true'],
    'There is no option --sed of tasksim exec: did you mean `--seed`?\nSee tasksim exec --help.',
  ],
  [['--prot=1'], 'There is no option --prot: did you mean `--port`?\nSee tasksim --help.'],
  [
    ['--webhookUrl', 'http://x/'],
    'There is no option --webhookUrl: did you mean `--webhook`?\nSee tasksim --help.',
  ],
  [['listen', '-x'], 'There is no option -x of tasksim listen.\nSee tasksim listen --help.'],
  [['default', 'flaky'], 'Unexpected argument: flaky.\nSee tasksim --help.'],
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
    '<event> must be task.succeeded, task.failed, task.canceled or task.cancelled; got "task.suceeded": did you mean `task.succeeded`?\nSee tasksim trigger --help.',
  ],
  [
    ['validate'],
    'An argument is missing: write it as tasksim validate <files..>.\nSee tasksim validate --help.',
  ],
  [['trigger', 'task.failed'], 'tasksim trigger needs --to: URL that gets it.\nSee tasksim trigger --help.'],
  [['--seed', '1', '--seed', '2'], '--seed is given 2 times: give it once.\nSee tasksim --help.'],
  [
    ['exec', '--max-cost', '1', '--max-cost', '2', '--', 'true'],
    '--max-cost is given 2 times: give it once.\nSee tasksim exec --help.',
  ],
  [['--port', ''], '--port has no value: give one, or leave it out.\nSee tasksim --help.'],
  [['--port='], '--port has no value: give one, or leave it out.\nSee tasksim --help.'],
  [['-p', ''], '--port has no value: give one, or leave it out.\nSee tasksim --help.'],
  [
    ['exec', '--max-cost', ' ', '--', 'true'],
    '--max-cost has no value: give one, or leave it out.\nSee tasksim exec --help.',
  ],
  [
    ['exec', '--max-cost=', '--', 'true', ''],
    '--max-cost has no value: give one, or leave it out.\nSee tasksim exec --help.',
  ],
  [['--port', '1', '-p', '2'], '--port is given 2 times: give it once.\nSee tasksim --help.'],
])('answers tasksim %j in words of its own', async (args, message) => {
  const running = runInProcess(folderWith(), args, { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' })
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toBe(`tasksim: ${message}\n`)
  expect(running.stdout()).toBe('')
})

it.each([
  [['help'], /^tasksim \[scenario\][\s\S]*tasksim exec \[scenario\][\s\S]*--port/],
  [['help', 'exec'], /^tasksim exec \[scenario\] \[options\][\s\S]*--max-cost/],
])('shows help for tasksim %j', async (args, text) => {
  const running = runInProcess(folderWith(), args)
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(text)
})

it('does not list all names if none is near to a word', async () => {
  const running = runInProcess(folderWith(), ['xyzzyxyzzy'])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toBe(
    'tasksim: There is no command and no shipped scenario "xyzzyxyzzy".\nA scenario file is given by its path, such as ./xyzzyxyzzy.yaml.\nSee tasksim --help.\n',
  )
})

it.each([
  ['preview', ['instant', '--tasks', '10000001']],
  ['preview', ['instant', '--every', 'often']],
  ['exec', ['--max-cost', 'much', '--', 'true']],
  ['exec', ['--speed', '0', '--', 'true']],
  ['listen', ['--respond', 'never']],
  ['probe', ['--webhook', 'http://localhost/', '--timeout', 'long']],
])('points to the help of tasksim %s for the values of %j', async (command, args) => {
  const running = runInProcess(folderWith(), [command, ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(new RegExp(`\\nSee tasksim ${command} --help\\.\\n$`))
})

it('lets an option of several values be repeated', async () => {
  const args = ['--webhook', 'http://localhost/a', '--webhook', 'localhost:1']
  const running = runInProcess(folderWith(), args)
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain('--webhook must be a URL')
})
