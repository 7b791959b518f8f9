import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playHistory } from '../record/played-history.js'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const HIDDEN = {
  models: {
    'acme/video-1': {
      delay: { median: '70s', p95: '200s' },
      failures: {
        rate: 0.2,
        errors: [
          { code: 'content_policy', message: 'Rejected: "a secret prompt".', weight: 3 },
          { code: 'internal_error', message: 'Try again.' },
        ],
      },
    },
  },
} as const

const history = playHistory({
  scenario: HIDDEN,
  seed: 'learn',
  tasks: 200,
  every: 5_000,
  order: (index) =>
    index % 20 === 0
      ? { model: 'acme/image-1', input: { prompt: 'a secret prompt' } }
      : { model: 'acme/video-1', input: { prompt: 'a secret prompt', duration: 5, variant: index } },
})

async function run(files: Record<string, string>, ...args: string[]) {
  const folder = folderWith(files)
  const running = runInProcess(folder, args)
  return { folder, status: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

it('tasksim learn rejects options for a service if the source is a file', async () => {
  const folder = folderWith({ 'history.jsonl': '' })
  for (const option of ['--key', '--history']) {
    const running = runInProcess(folder, ['learn', 'history.jsonl', option, 'value'])
    expect(await running.ended).toBe(2)
    expect(running.stderr()).toContain(
      `${option} is for the URL of a service; got the source history.jsonl. Omit ${option}.`,
    )
  }
})

it('tasksim learn writes a valid scenario without prompts and ids, and prints what it learned', async () => {
  const { folder, status, stdout } = await run(
    { 'history.jsonl': await history },
    ...['learn', 'history.jsonl', '--out', 'scenario.yaml'],
  )
  expect(status).toBe(0)
  expect(stdout).toMatch(/acme\/video-1 +190 +p50 [\d.]+s, p90 [\d.]+s, p99 [\d.]+s +\d\d(\.\d)? %/)
  expect(stdout).toContain('acme/image-1: not learned: delay: 10 ended tasks are too few; 30 are needed')
  const scenario = readFileSync(join(folder, 'scenario.yaml'), 'utf8')
  expect(scenario).not.toMatch(/secret|task_|sk_/)
  expect(scenario).toMatch(/# 190 tasks: \d+ succeeded, \d+ failed\n/)
  expect(scenario).toMatch(/- \{ code: content_policy, message: "?Rejected: …."?, weight: \d+ \}/)
  const validation = runInProcess(folder, ['validate', 'scenario.yaml'])
  expect(await validation.ended).toBe(0)
  expect(validation.stdout()).toContain('scenario.yaml: valid (1 expectation met)')
})

deepTest(
  'tasksim learn compares a scenario with a newer history, and exits with 1 if they differ',
  async () => {
    const { folder } = await run(
      { 'history.jsonl': await history },
      ...['learn', 'history.jsonl', '--out', 'scenario.yaml'],
    )
    const same = runInProcess(folder, ['learn', 'history.jsonl', '--check', 'scenario.yaml'])
    expect(await same.ended).toBe(0)
    expect(same.stdout()).toContain('scenario.yaml agrees with 200 tasks in history.jsonl.')
    const slower = (await history).replaceAll(/"completed_at":"([^"]+)"/g, (_, time) => {
      return `"completed_at":"${new Date(Date.parse(time) + 60_000).toISOString()}"`
    })
    writeFileSync(join(folder, 'slower.jsonl'), slower)
    const changed = runInProcess(folder, ['learn', 'slower.jsonl', '--check', 'scenario.yaml'])
    expect(await changed.ended).toBe(1)
    expect(changed.stdout()).toMatch(/ {2}acme\/video-1: delay: was p50 [\d.]+s, .*; is p50 1[\d.]+s, /)
    const json = runInProcess(folder, ['learn', 'slower.jsonl', '--check', 'scenario.yaml', '--json'])
    expect(await json.ended).toBe(1)
    expect(JSON.parse(json.stdout()).changes).toMatchObject([{ name: 'acme/video-1', what: 'delay' }])
  },
)

it.each([
  [['--check', 'a.yaml', '--out', 'b.yaml'], '--check writes no scenario. Omit --out and --force.'],
  [['--json'], '--json prints the result of --check.'],
  [['--check', 'missing.yaml'], 'missing.yaml'],
  [['--check', 'a.yaml', '--lmit', '7'], '--lmit'],
])('tasksim learn rejects %j', async (options, message) => {
  const { status, stderr } = await run({}, 'learn', 'history.jsonl', ...options)
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
})

it('tasksim learn rejects a learned scenario of a newer version, with its place and a remedy', async () => {
  const files = { 'h.jsonl': await history, 's.yaml': 'learned:\n  version: 2\n  tasks: {}\n' }
  const { status, stderr } = await run(files, 'learn', 'h.jsonl', '--check', 's.yaml')
  expect(status).toBe(2)
  expect(stderr).toMatch(
    /s\.yaml:2:12.*learned\.version: got 2; expected 1\. If a newer tasksim .*, update tasksim/,
  )
})

deepTest('tasksim learn writes to stdout by default, and the table to stderr', async () => {
  const { status, stdout, stderr } = await run({ 'history.jsonl': await history }, 'learn', 'history.jsonl')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^# Learned by/)
  expect(stderr).toContain('acme/video-1')
})

deepTest('tasksim learn reads the standard input for -', async () => {
  const running = start(folderWith(), ['learn', '-'])
  running.child.stdin.end(await history)
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(/^# Learned by `tasksim learn` from the standard input: 200 tasks/)
})

it('tasksim learn does not overwrite a file without --force', async () => {
  const files = { 'history.jsonl': await history, 'scenario.yaml': 'mine' }
  const refused = await run(files, 'learn', 'history.jsonl', '--out', 'scenario.yaml')
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('scenario.yaml already exists')
  expect(readFileSync(join(refused.folder, 'scenario.yaml'), 'utf8')).toBe('mine')
  expect((await run(files, 'learn', 'history.jsonl', '--out', 'scenario.yaml', '--force')).status).toBe(0)
})

deepTest(
  'tasksim learn skips invalid entries and says how many, and fails at the first one with --strict',
  async () => {
    const folder = folderWith({})
    writeFileSync(join(folder, 'history.jsonl'), `${await history}{"id":"x"}\n${'oops\n'.repeat(6)}`)
    const lenient = runInProcess(folder, ['learn', 'history.jsonl'])
    expect(await lenient.ended).toBe(0)
    expect(lenient.stderr()).toContain('skipped history.jsonl:3: status: expected `queued`')
    expect(lenient.stderr()).toContain('skipped 2 more')
    const strict = runInProcess(folder, ['learn', 'history.jsonl', '--strict'])
    expect(await strict.ended).toBe(2)
    expect(strict.stderr()).toContain('history.jsonl:3: status: expected')
  },
)

it.each([
  [['learn', 'missing.jsonl'], 'Cannot read missing.jsonl: the file does not exist.'],
  [['learn', 'empty.jsonl'], 'There are no tasks in empty.jsonl.'],
])('%j fails with a reason', async (args, message) => {
  const { status, stderr } = await run({ 'empty.jsonl': '[]\n' }, ...args)
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

it('tasksim learn counts in correct English', async () => {
  const task = JSON.stringify({
    ...{ id: 'task_1', model: 'acme/image-1', status: 'succeeded', cost_usd: 0.04 },
    ...{ created_at: '2026-11-22T10:00:00.000Z', completed_at: '2026-11-22T10:00:05.000Z' },
  })
  const { stdout, stderr } = await run({ 'history.jsonl': `${task}\n` }, 'learn', 'history.jsonl')
  expect(stderr).toContain('delay: 1 ended task is too few; 30 are needed')
  expect(stderr).toContain('price: 1 cost is too few; 5 are needed')
  expect(stdout).toContain('from history.jsonl: 1 task, created between')
})
