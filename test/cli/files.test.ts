import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, start } from './run.js'

it('shows every mistake in every file, and ends with status 1', async () => {
  const folder = folderWith({
    'a.yaml': 'kinds:\n  vidoe: { delay: 3s }\n  image: { delay: soon, pirce: {} }\n',
    'b.json': '{\n  "seed": 1,\n  "rules": [{ "then": { "outcome": "success" } }]\n}\n',
    'c.yaml': 'extends: instant\n',
  })
  const running = start(folder, ['validate', 'a.yaml', 'b.json', 'c.yaml'])
  expect(await running.ended).toBe(1)
  expect(running.stdout().trim().split('\n')).toEqual([
    'a.yaml:2:3: kinds.vidoe: unknown field `vidoe`; did you mean `video`?',
    'a.yaml:3:19: kinds.image.delay: got "soon"; expected a duration such as 250ms, 3s, 5m, 24h or 30d',
    'a.yaml:3:25: kinds.image.pirce: unknown field `pirce`; did you mean `price`?',
    'b.json:3:36: rules[0].then.outcome: got "success"; did you mean `succeeded`?',
    'c.yaml: valid',
  ])
})

it('tries out what a file expects of itself', async () => {
  const expectation = 'expect: [{ create: { model: m, input: {} }, at: { 0s: { status: failed } } }]'
  const running = start(folderWith({ 'a.yaml': `extends: instant\n${expectation}` }), ['validate', 'a.yaml'])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toBe('a.yaml: expect[0]: at 0s, status: expected "failed", got "succeeded"\n')
})

it('writes a starter file that is valid, and overwrites none', async () => {
  const folder = folderWith()
  const init = start(folder, ['init'])
  expect(await init.ended).toBe(0)
  expect(init.stdout()).toContain('tasksim ./tasksim.yaml')
  const written = readFileSync(join(folder, 'tasksim.yaml'), 'utf8')
  const validate = start(folder, ['validate', 'tasksim.yaml'])
  expect(await validate.ended).toBe(0)
  const again = start(folder, ['init'])
  expect(await again.ended).toBe(1)
  expect(again.stderr()).toContain('--force')
  expect(readFileSync(join(folder, 'tasksim.yaml'), 'utf8')).toBe(written)
})

it.each([['--help'], ['serve', '--help'], ['validate', '--help'], ['init', '--help'], ['--version']])(
  'helps: tasksim %s %s',
  async (...args) => {
    const running = start(folderWith(), args)
    expect(await running.ended).toBe(0)
    expect(running.stdout().length).toBeGreaterThan(4)
  },
)

it.each([
  [['--control-token', ''], '--control-token has no value: give one, or leave it out.'],
  [['exec', 'instant', '--webhook-secret', '', '--', 'true'], '--webhook-secret has no value'],
  [['--webhook'], 'Not enough arguments following: webhook'],
  [['--port'], 'Not enough arguments following: port'],
  [['exec', '--max-cost', '--', 'true'], 'Not enough arguments following: max-cost'],
])('an option without a value is refused in a line, and nothing is served: tasksim %j', async (args, why) => {
  const running = start(folderWith(), args)
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toBe('')
  expect(running.stderr()).toContain(why)
  expect(running.stderr()).toMatch(/^tasksim: .*\nSee tasksim --help\.\n$/)
})
