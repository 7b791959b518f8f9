import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

it('tasksim validate shows every mistake in every file, and exits with status 1', async () => {
  const folder = folderWith({
    'a.yaml': 'kinds:\n  vidoe: { delay: 3s }\n  image: { delay: soon, pirce: {} }\n',
    'b.json': '{\n  "seed": 1,\n  "rules": [{ "then": { "outcome": "success" } }]\n}\n',
    'c.yaml': 'extends: instant\n',
  })
  const running = runInProcess(folder, ['validate', 'a.yaml', 'b.json', 'c.yaml'])
  expect(await running.ended).toBe(1)
  expect(running.stdout().trim().split('\n')).toEqual([
    'a.yaml:2:3: kinds.vidoe: unknown field `vidoe`; did you mean `video`?',
    'a.yaml:3:19: kinds.image.delay: got "soon"; expected a duration such as 250ms, 3s, 5m, 1h30m or 30d',
    'a.yaml:3:25: kinds.image.pirce: unknown field `pirce`; did you mean `price`?',
    'b.json:3:36: rules[0].then.outcome: got "success"; did you mean `succeeded`?',
    'c.yaml: valid',
  ])
})

it('tasksim validate checks a dialect file as one, also if it is broken', async () => {
  const acme = dialectStarter('', 'acme')
  const folder = folderWith({
    'acme.yaml': acme,
    'broken.yaml': acme.replace('queued: waiting', 'queued: [').replace('title:', 'tilte:'),
    'taken.yaml': acme.replace('name: acme', 'name: luma'),
    'wrong.json': '{ "name": "acme", "ids": { "characters": "hex" }, "statuses": { "queued": 1 } }',
  })
  const { ended, stdout } = runInProcess(folder, [
    'validate',
    'acme.yaml',
    'broken.yaml',
    'taken.yaml',
    'wrong.json',
  ])
  expect(await ended).toBe(1)
  expect(stdout()).toContain('acme.yaml: valid (dialect acme, 5 operations)\n')
  expect(stdout()).toMatch(/^broken\.yaml:\d+:\d+: /m)
  expect(stdout()).toContain(
    'taken.yaml: name: got "luma"; tasksim has a dialect with this name; use another name\n',
  )
  expect(stdout()).toContain(
    'wrong.json:1:75: statuses.queued: got 1; expected a word, or a mapping with a `word`\n',
  )
})

it('tasksim init writes a valid dialect file with the name of the file, and overwrites no existing file', async () => {
  const folder = folderWith()
  const init = runInProcess(folder, ['init', '--dialect', 'stardust'])
  expect(await init.ended).toBe(0)
  expect(init.stdout()).toMatch(/^Wrote stardust\.yaml\. Serve it with: .* --dialect \.\/stardust\.yaml\n/)
  const written = readFileSync(join(folder, 'stardust.yaml'), 'utf8')
  expect(written).toMatch(/^# The wire format of /)
  const validate = runInProcess(folder, ['validate', 'stardust.yaml'])
  expect([await validate.ended, validate.stdout()]).toEqual([
    0,
    'stardust.yaml: valid (dialect stardust, 5 operations)\n',
  ])
  for (const [args, why] of [
    [['init', '--dialect', 'stardust'], '--force'],
    [['init', '--dialect', 'Star_dust.yaml'], 'expected small letters, digits and `-`, such as acme'],
    [['init', '--dialect', 'runway'], 'tasksim has a dialect with this name'],
  ] as const) {
    const again = runInProcess(folder, args)
    expect(await again.ended).toBe(1)
    expect(again.stderr()).toContain(why)
  }
  expect(readFileSync(join(folder, 'stardust.yaml'), 'utf8')).toBe(written)
})

it('tasksim validate checks the expectations in a file', async () => {
  const expectation = 'expect: [{ create: { model: m, input: {} }, at: { 0s: { status: failed } } }]'
  const running = runInProcess(folderWith({ 'a.yaml': `extends: instant\n${expectation}` }), [
    'validate',
    'a.yaml',
  ])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toBe('a.yaml: expect[0]: at 0s, status: expected "failed", got "succeeded"\n')
})

it('tasksim init writes a valid starter file, and overwrites no existing file', async () => {
  const folder = folderWith()
  const asJson = runInProcess(folder, ['init', 'foo.json'])
  expect(await asJson.ended).toBe(1)
  expect(asJson.stderr()).toMatch(/Cannot write foo\.json: .*Give a name that ends in \.yaml/)
  const init = runInProcess(folder, ['init'])
  expect(await init.ended).toBe(0)
  expect(init.stdout()).toMatch(
    /^Wrote tasksim\.yaml\. Serve it with: node \S+main\.js \.\/tasksim\.yaml\nFor completion .*\n$/,
  )
  const written = readFileSync(join(folder, 'tasksim.yaml'), 'utf8')
  const validate = runInProcess(folder, ['validate', 'tasksim.yaml'])
  expect(await validate.ended).toBe(0)
  expect(validate.stdout()).toContain('(2 expectations met)')
  const again = runInProcess(folder, ['init'])
  expect(await again.ended).toBe(1)
  expect(again.stderr()).toContain('--force')
  expect(readFileSync(join(folder, 'tasksim.yaml'), 'utf8')).toBe(written)
})

it.each([
  ['--help'],
  ['serve', '--help'],
  ['validate', '--help'],
  ['init', '--help'],
  ['--version'],
  ['-v'],
  ['-h'],
])('help is printed by tasksim %s %s', async (...args) => {
  const running = runInProcess(folderWith(), args)
  expect(await running.ended).toBe(0)
  expect(running.stdout().length).toBeGreaterThan(4)
})

it.each([
  [['--control-token', ''], '--control-token has no value. Give one, or omit the option.'],
  [['exec', 'instant', '--webhook-secret', '', '--', 'true'], '--webhook-secret has no value'],
  [['--webhook'], '--webhook has no value'],
  [['--port'], '--port has no value'],
  [['-p'], '-p has no value'],
  [['--cors', 'http://localhost:3000/app'], '--cors must be an origin without a path'],
  [['exec', '--max-cost', '--', 'true'], '--max-cost has no value'],
])(
  'an option without a value is rejected in one line, and starts no server: tasksim %j',
  async (args, why) => {
    const running = runInProcess(folderWith(), args)
    expect(await running.ended).toBe(1)
    expect(running.stdout()).toBe('')
    expect(running.stderr()).toContain(why)
    expect(running.stderr()).toMatch(/^tasksim: .*\nSee tasksim (exec )?--help\.\n$/)
  },
)

it.each([
  ['/dev/zero', 'the path is a device or a pipe. Give the path of a regular file.'],
  ['./pipe', 'the path is a device or a pipe'],
  ['../', 'the path is a folder'],
  ['/etc/passwd', 'the file is not a scenario: expected YAML or JSON with fields such as `kinds`'],
  ['./secrets.yaml', 'the file is not a scenario'],
  ['./secret.txt', 'the file is not a scenario'],
  [
    './large.yaml',
    'the text has 100,022 characters; a scenario and the scenarios that it extends may have 100,000 characters in total',
  ],
  ['./huge.yaml', 'the file is larger than 300000 bytes'],
])('tasksim rejects a file that cannot be extended, without showing its content: %s', async (path, why) => {
  const folder = folderWith({
    's.yaml': `extends: ${path}\n`,
    'secrets.yaml': 'password: hunter2\ntoken: hunter2\n',
    'secret.txt': 'hunter2',
    'large.yaml': 'seed: 1\n'.padEnd(100_000, '#'),
    'huge.yaml': 'seed: 1\n'.padEnd(800_000, '#'),
  })
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const running = runInProcess(folder, ['validate', 's.yaml'])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toContain(`s.yaml:1:10: extends: cannot extend "${path}": `)
  expect(running.stdout()).toContain(why)
  expect(running.stdout()).not.toMatch(/root|hunter2/)
})

it('tasksim rejects a chain of more than a hundred files', async () => {
  const files = Array.from({ length: 102 }, (_, index) => [`${index}.yaml`, `extends: ./${index + 1}.yaml\n`])
  const running = runInProcess(folderWith({ ...Object.fromEntries(files), '102.yaml': '' }), [
    'validate',
    '0.yaml',
  ])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toContain('the chain has more than 100 scenarios; combine some of them')
})

it.each(['/dev/zero', './pipe'])(
  'tasksim does not read handlers from a device or a pipe: %s',
  async (path) => {
    const folder = folderWith()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const running = runInProcess(folder, ['--port', '0', '--handlers', path])
    expect(await running.ended).toBe(1)
    expect(running.stderr()).toContain(`Cannot load the handlers ${path}: the path is a device or a pipe`)
  },
)

it('tasksim reports a pattern that an expectation cannot use', async () => {
  const expectation = "expect: [{ create: { model: m, input: {} }, at: { 0s: { status: '/(?!x)/' } } }]"
  const running = runInProcess(folderWith({ 'a.yaml': `extends: instant\n${expectation}` }), [
    'validate',
    'a.yaml',
  ])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toContain(
    'status: invalid pattern /(?!x)/: lookarounds such as (?!...) are not supported',
  )
})
