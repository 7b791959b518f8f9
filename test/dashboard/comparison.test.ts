import { describe, expect, it } from 'vitest'
import type { FindingShape, TaskShape } from '../../src/control/shapes.js'
import { compareFacts, differingHeaders, diffRows } from '../../src/dashboard/model/comparison.js'
import { titlesByTask } from '../../src/dashboard/model/findings.js'
import { TASK_FACTS } from '../../src/dashboard/model/tasks/task-comparison.js'
import type { TaskRecord } from '../../src/dashboard/model/tasks/task-record.js'

describe('the difference of two texts', () => {
  it('leaves out equal lines far from a difference', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']
    const after = ['1', '2', '3', 'new', '4', '5', '6', '7', '8', '9']
    const rows = diffRows(before.join('\n'), after.join('\n'))
    expect(rows.map((row) => (row.kind === 'hidden' ? row.count : row.texts))).toEqual([
      1,
      ['2', '2'],
      ['3', '3'],
      [undefined, 'new'],
      ['4', '4'],
      ['5', '5'],
      2,
      ['8', '8'],
      ['9', '9'],
      ['10', undefined],
    ])
    expect(diffRows('1\n2\n3', '1\n2\n3')).toEqual([{ kind: 'hidden', count: 3 }])
  })

  it('ignores the order of the keys in JSON', () => {
    expect(diffRows({ b: [{ d: 1, c: 2 }], a: 0 }, { a: 0, b: [{ c: 2, d: 1 }] })).toMatchObject([
      { kind: 'hidden' },
    ])
    expect(diffRows(undefined, undefined)).toEqual([])
  })

  it("has a row for lines that take each other's place, side by side", () => {
    const before = '{"a":1,"status":"failed","b":2}'
    const after = '{"a":1,"status":"succeeded","more":0,"b":2}'
    expect(diffRows(before, after).slice(1, -2)).toEqual([
      { kind: 'same', texts: ['  "a": 1,', '  "a": 1,'] },
      { kind: 'differs', texts: ['  "status": "failed",', '  "status": "succeeded",'] },
      { kind: 'differs', texts: [undefined, '  "more": 0,'] },
    ])
  })

  it('shows spaces of texts only if nothing else differs', () => {
    expect(diffRows('{"a":1}', '{"a": 1}')).toEqual([{ kind: 'differs', texts: ['{"a":1}', '{"a": 1}'] }])
    expect(diffRows('{"a":1}', '{"a": 2}').map(({ kind }) => kind)).toEqual(['same', 'differs', 'same'])
  })

  it('is quick for long texts without a common line', () => {
    const text = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n')
    expect(diffRows(text('a'), text('b'))).toHaveLength(5_000)
  })
})

const TASK: TaskShape = {
  id: 'a',
  model: 'acme/image-1',
  kind: 'image',
  dialect: 'tasks',
  key: 'sk_...ocal',
  status: 'succeeded',
  input: {},
  cost_usd: 0.04,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:01.000Z',
  completed_at: '2026-01-01T00:00:03.000Z',
  held: false,
  plan: { outcome: 'succeeded' },
}

it('the page compares the facts about two tasks', () => {
  const record = (more: Partial<TaskShape>) =>
    ({ task: { ...TASK, ...more }, entries: [], deliveries: [] }) as Partial<TaskRecord> as TaskRecord
  const failed = record({ status: 'failed', error: { code: 'timeout', message: '' }, cost_usd: 0 })
  const differing = compareFacts(TASK_FACTS, record({}), failed).filter(({ differs }) => differs)
  expect(differing.map(({ name, values }) => [name, ...values])).toEqual([
    ['State', 'succeeded', 'failed'],
    ['Error', '–', 'timeout'],
    ['Cost', '$0.04', '$0'],
  ])
})

it('the page finds the tasks with findings, with the titles of these', () => {
  const evidence = (task: string | undefined, seen: string) => ({
    at: TASK.created_at,
    seen,
    ...(task !== undefined && { task_id: task }),
  })
  const finding = (id: FindingShape['id'], title: string, of: FindingShape['evidence']): FindingShape => ({
    id,
    title,
    last_at: TASK.created_at,
    severity: 'warning',
    why: '',
    remedy: '',
    count: of.length,
    evidence: of,
  })
  const findings = [
    finding('polls-too-fast', 'Too fast', [
      evidence('a', 'one'),
      evidence('b', 'two'),
      evidence('a', 'three'),
    ]),
    finding('key-missing', 'No key', [evidence(undefined, 'four')]),
  ]
  expect([...titlesByTask(findings)]).toEqual([
    ['a', ['Too fast']],
    ['b', ['Too fast']],
  ])
})

it('the headers that differ are compared whatever the case of their names', () => {
  const before = { 'X-Time': '1', Same: 'yes', Gone: '' }
  expect(differingHeaders(before, { 'x-time': '2', same: 'yes' })).toEqual([
    { name: 'gone', values: ['(empty)', '–'], differs: true },
    { name: 'x-time', values: ['1', '2'], differs: true },
  ])
})
