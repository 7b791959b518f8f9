import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonElements } from '../../../src/record/history/json-elements.js'

/** Splits a text that arrives in pieces of this size. */
function split(text: string, size = text.length + 1) {
  const elements = new JsonElements('data')
  const found = []
  for (let at = 0; at < text.length; at += size) found.push(...elements.add(text.slice(at, at + size)))
  return [...found, ...elements.end()]
}

const FORMS: Record<string, (tasks: object[]) => string> = {
  'JSON Lines': (tasks) => tasks.map((task) => `${JSON.stringify(task)}\n`).join(''),
  'a list': (tasks) => JSON.stringify(tasks),
  'a list with line breaks': (tasks) => JSON.stringify(tasks, null, 2),
  'a page': (tasks) => JSON.stringify({ has_more: true, data: tasks, next_cursor: 'x' }, null, 2),
  'pages, one per line': (tasks) =>
    tasks.map((task) => `${JSON.stringify({ data: [task], next: { data: [1] } })}\n`).join(''),
}

const task = fc.record({ id: fc.string(), input: fc.dictionary(fc.string(), fc.jsonValue()) })

it.each(Object.entries(FORMS))(
  'the reader of JSON finds each object of %s, in pieces of any size',
  (_, write) => {
    fc.assert(
      fc.property(fc.array(task), fc.integer({ min: 1, max: 50 }), (tasks, size) => {
        const parsed = split(write(tasks), size).map(({ text }) => JSON.parse(text))
        expect(parsed).toEqual(JSON.parse(JSON.stringify(tasks)))
      }),
    )
  },
)

it('the reader of JSON finds an object of several megabytes, and those after it', () => {
  const long = { id: 'a', note: 'x'.repeat(3_000_000) }
  const parsed = split(JSON.stringify([{ id: '0' }, long, { id: 'b' }]), 65_536)
  expect(parsed.map(({ text }) => JSON.parse(text))).toEqual([{ id: '0' }, long, { id: 'b' }])
})

it('the reader of JSON continues after a damaged line', () => {
  const lines = ['{"id":"a', '{"id":"b","input":{', '{"id":"c"}', 'oops', '"text"', '{"id":"d"}', '{"id']
  expect(split(lines.join('\n')).map(({ text, line }) => [line, text.trim()])).toEqual(
    lines.map((text, index) => [index + 1, text]),
  )
})

it('the reader of JSON names the line of each element of a list, also of one that is not an object', () => {
  const found = split('\uFEFF[\n  {"a": 1},\n  7, {\n"b": [2]}\n]\n')
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [2, '{"a": 1}'],
    [3, '7'],
    [3, '{\n"b": [2]}'],
  ])
})
