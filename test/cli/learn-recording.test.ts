import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { headerLine } from '../../src/cli/record/recording-file.js'
import { parseDialect } from '../../src/index.js'
import { historyFixture } from '../record/histories.js'
import { recordFixture } from '../record/passed-history.js'
import { HEADER } from '../record/recording/recording-text.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

async function run(files: Record<string, string>, ...args: string[]) {
  const folder = folderWith(files)
  const running = runInProcess(folder, args)
  return { folder, status: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

const { text: recording } = await recordFixture(historyFixture('replicate'))

it('tasksim learn learns from a recording, whose dialect it knows', async () => {
  const files = { 'run.jsonl': recording }
  const { folder, status } = await run(files, 'learn', 'run.jsonl', '--out', 'scenario.yaml')
  expect(status).toBe(0)
  const models = historyFixture('replicate').tasks.map(({ model }) => model)
  const scenario = readFileSync(join(folder, 'scenario.yaml'), 'utf8')
  for (const model of models) expect(scenario).toContain(model)
})

it('tasksim learn compares a scenario with a recording', async () => {
  const { folder } = await run({ 'run.jsonl': recording }, 'learn', 'run.jsonl', '--out', 'scenario.yaml')
  const checking = runInProcess(folder, ['learn', '--check', 'scenario.yaml', 'run.jsonl'])
  expect(await checking.ended).toBe(0)
})

it('tasksim learn leaves out a last line that a crash has cut, with a warning', async () => {
  const files = { 'run.jsonl': `${recording}{"type":"exch` }
  const { status, stderr } = await run(files, 'learn', 'run.jsonl')
  expect(status).toBe(0)
  expect(stderr).toMatch(/skipped run\.jsonl:\d+: the last line is incomplete, as after a crash/)
})

it('tasksim learn rejects a contradicting --dialect, and accepts the same one', async () => {
  const files = { 'run.jsonl': recording }
  const { status, stderr } = await run(files, 'learn', 'run.jsonl', '--dialect', 'fal')
  expect(status).toBe(2)
  expect(stderr).toContain(
    'run.jsonl is a recording of the dialect replicate, but --dialect is fal. Omit --dialect.',
  )
  expect((await run(files, 'learn', 'run.jsonl', '--dialect', 'replicate')).status).toBe(0)
})

it('tasksim learn reports an invalid line with its number', async () => {
  const { status, stderr } = await run(
    { 'run.jsonl': `${headerLine(HEADER)}{"type":"x"}\n` },
    'learn',
    'run.jsonl',
  )
  expect(status).toBe(2)
  expect(stderr).toContain(
    'run.jsonl:2: type: expected "exchange", "webhook" or "file", got "x". Correct the line',
  )
})

it('tasksim learn reads a recording of a dialect of the user, whose description it contains', async () => {
  const text = readFileSync('src/dialects/files/replicate.yaml', 'utf8')
  const table = parseDialect(text.replace('name: replicate', 'name: acme'))
  const { text: own } = await recordFixture(historyFixture('replicate'), { dialect: 'acme', table })
  expect((await run({ 'run.jsonl': own }, 'learn', 'run.jsonl')).status).toBe(0)
  const damaged = headerLine({ ...HEADER, dialect: 'acme', table: { ...table, task: { id: '{{nothing' } } })
  const { status, stderr } = await run({ 'run.jsonl': damaged }, 'learn', 'run.jsonl')
  expect(status).toBe(2)
  expect(stderr).toContain('run.jsonl:1: table: the description of the dialect "acme" is damaged: ')
})

it('tasksim learn says that this tasksim does not have the dialect of a recording', async () => {
  const { stderr } = await run(
    { 'run.jsonl': headerLine({ ...HEADER, dialect: 'acme' }) },
    'learn',
    'run.jsonl',
  )
  expect(stderr).toContain('run.jsonl:1: There is no dialect "acme"')
})
