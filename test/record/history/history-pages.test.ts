import { expect, it } from 'vitest'
import { checkHistory, historyLine, isHistory } from '../../../src/record/history/history-pages.js'

const SERVICE = { dialect: 'replicate', listName: 'results' }
const LINE = historyLine(SERVICE, [{ id: 'a' }], 'https://api.test/predictions?cursor=2')
const LAST = historyLine(SERVICE, [{ id: 'b' }], null)

/** Reads a file that arrives in small pieces. */
async function read(text: string, service = SERVICE): Promise<string> {
  const pieces = (async function* () {
    for (let at = 0; at < text.length; at += 50) yield text.slice(at, at + 50)
  })()
  let read = ''
  for await (const piece of checkHistory(pieces, service, 'h.jsonl')) read += piece
  return read
}

it('a history file is recognized by its start, and read as it was written', async () => {
  expect([LINE, '{"id":"a"}', '{"data":[]}'].map(isHistory)).toEqual([true, false, false])
  expect(await read(LINE + LAST)).toBe(LINE + LAST)
})

it('an incomplete last line, which a crash leaves, is not an error', async () => {
  const crashed = LINE + LAST.slice(0, 30)
  expect(await read(crashed)).toBe(crashed)
})

const written = (change: object) => `${JSON.stringify({ ...JSON.parse(LAST), ...change })}\n`
const DELETE = 'Delete this line to continue without its tasks, or delete the file to read all pages again.'

it.each([
  ['{"tasksim_hist\n', `h.jsonl:2: expected a page of a history, as a JSON object. ${DELETE}`],
  [
    written({ tasksim_history: 2 }),
    'h.jsonl:2: a newer tasksim wrote version 2 of the format; this one reads 1. Update tasksim, or delete the file to read all pages again.',
  ],
  [written({ tasksim_history: 'x' }), `h.jsonl:2: tasksim_history: expected 1, got "x". ${DELETE}`],
  [
    written({ dialect: 'openai' }),
    'h.jsonl:2: dialect: expected "replicate", got "openai". Pass --dialect openai, or choose another file.',
  ],
  [written({ results: {} }), `h.jsonl:2: results: expected a list of tasks, got {}. ${DELETE}`],
  [written({ next: 7 }), `h.jsonl:2: next: expected a URL or null, got 7. ${DELETE}`],
])('an invalid line is an error with its number and a remedy: %j', async (line, message) => {
  await expect(read(LINE + line + LAST)).rejects.toThrow(message)
})
