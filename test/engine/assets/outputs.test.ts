import { expect, test } from 'vitest'
import { Outputs } from '../../../src/engine/assets/outputs.js'
import type { OutputTimes } from '../../../src/engine/tasks/kinds.js'
import { readMediaSpec } from '../../../src/kinds/built-in-kinds.js'
import { builtInKinds } from '../../../src/kinds/produce.js'
import { aTask } from '../../support/tasks.js'

const HOUR = 3_600_000
const ORIGIN = 'http://localhost:4010'
const task = aTask({
  status: 'succeeded',
  completedAt: HOUR,
  result: { files: 1, output: undefined },
})

type Settings = { renew?: boolean; lifetime?: number | undefined; retention?: number | undefined }

const outputsWith = (settings: Settings = {}, times?: OutputTimes) =>
  new Outputs({
    key: 'key',
    settings: () => ({ lifetime: HOUR, renew: true, retention: 24 * HOUR, ...settings }),
    kinds: builtInKinds,
    formats: {
      main: 'tasks',
      outputTimes: (format) => (format === 'tasks' ? times : undefined),
      fileOrigin: (_, origin) => origin,
    },
  })

/** Returns the URL of the only file that a client sees at a time. */
function urlAt(outputs: Outputs, now: number): URL {
  const output = outputs.of(task, ORIGIN, now) as { images: [string] }
  return new URL(output.images[0])
}

const access = (outputs: Outputs, { pathname, searchParams }: URL, now: number) =>
  outputs.checkAccess(task, pathname, searchParams, now)

test('a file has a URL under the origin of the request', () => {
  const url = urlAt(outputsWith(), HOUR)
  expect(`${url.origin}${url.pathname}`).toBe('http://localhost:4010/files/task_1/0.png')
})

test.each([
  ['video', { video: expect.stringMatching(/\/files\/task_1\/0\.mp4\?/) }],
  ['audio', { audio: expect.stringMatching(/\/files\/task_1\/0\.mp3\?/) }],
] as const)('a file of kind %s has the extension of its format', (kind, output) => {
  expect(
    outputsWith().of({ ...task, kind, baseKind: kind, media: readMediaSpec(kind, {}) }, ORIGIN, HOUR),
  ).toEqual(output)
})

test('with URL renewal, each read of the task returns a URL that is valid for the whole lifetime', () => {
  const outputs = outputsWith({ renew: true })
  const early = urlAt(outputs, HOUR)
  const late = urlAt(outputs, 5 * HOUR)
  expect(access(outputs, early, 2 * HOUR - 1)).toBe('granted')
  expect(access(outputs, early, 2 * HOUR)).toBe('expired')
  expect(access(outputs, late, 6 * HOUR - 1)).toBe('granted')
})

test('without URL renewal, the lifetime of a URL starts at the end of the task', () => {
  const outputs = outputsWith({ renew: false })
  const late = urlAt(outputs, 5 * HOUR)
  expect(late.href).toBe(urlAt(outputs, HOUR).href)
  expect(access(outputs, late, 2 * HOUR - 1)).toBe('granted')
  expect(access(outputs, late, 2 * HOUR)).toBe('expired')
})

test('without settings of the scenario, the times of the wire format apply, and then a day and 30 days', () => {
  const unset = { lifetime: undefined, retention: undefined }
  const isOver = (outputs: Outputs, at: number) => access(outputs, urlAt(outputs, HOUR), HOUR + at)
  const format = outputsWith(unset, { lifetime: 2 * HOUR, retention: 3 * HOUR })
  expect([2 * HOUR - 1, 2 * HOUR, 3 * HOUR].map((at) => isOver(format, at))).toEqual([
    'granted',
    'expired',
    'gone',
  ])
  const plain = outputsWith(unset)
  expect([24, 30 * 24].map((hours) => isOver(plain, hours * HOUR))).toEqual(['expired', 'gone'])
  expect(isOver(plain, 24 * HOUR - 1)).toBe('granted')
  expect(isOver(outputsWith({ lifetime: HOUR }, { lifetime: 2 * HOUR }), HOUR)).toBe('expired')
})

test('an erased task has no output, and its file is gone', () => {
  const outputs = outputsWith()
  const erased = { ...task, erasedAt: 2 * HOUR }
  const { pathname, searchParams } = urlAt(outputs, 2 * HOUR)
  expect(outputs.of(erased, ORIGIN, 2 * HOUR)).toBeUndefined()
  expect(outputs.checkAccess(erased, pathname, searchParams, 2 * HOUR)).toBe('gone')
})

test('after the retention the output is gone, and so is a file whose URL would still be valid', () => {
  const outputs = outputsWith({ retention: 2 * HOUR })
  const url = urlAt(outputs, 3 * HOUR - 1)
  expect(access(outputs, url, 3 * HOUR - 1)).toBe('granted')
  expect(access(outputs, url, 3 * HOUR)).toBe('gone')
  expect(outputs.of(task, ORIGIN, 3 * HOUR)).toBeUndefined()
})

test('a client without a signed URL cannot find out whether a file is expired or gone', () => {
  const outputs = outputsWith()
  const url = urlAt(outputs, HOUR)
  url.searchParams.set('signature', '0'.repeat(32))
  expect([HOUR, 3 * HOUR, 99 * HOUR].map((now) => access(outputs, url, now))).toEqual(
    Array(3).fill('tampered'),
  )
})

test('a signature is valid for one file of one task', () => {
  const outputs = outputsWith()
  const url = urlAt(outputs, HOUR)
  for (const path of ['/files/task_1/1.png', '/files/task_2/0.png', '/files/task_1/0.mp4'])
    expect(outputs.checkAccess(task, path, url.searchParams, HOUR)).toBe('tampered')
})

test('a task that has not ended has no output', () => {
  expect(outputsWith().of(aTask(), ORIGIN, HOUR)).toBeUndefined()
})
