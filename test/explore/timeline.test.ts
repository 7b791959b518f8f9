import { expect, it } from 'vitest'
import { Exploration } from '../../src/engine/exploration/exploration.js'
import type { AnsweredRequest } from '../../src/engine/requests/answered-request.js'
import { timelineOf } from '../../src/explore/timeline.js'

/** The line of a poll whose answer a deviation has changed. */
function lineOf(place: string, observed: readonly string[], fault?: object): string | undefined {
  const note = {
    place,
    isAltered: true,
    observed: observed.map((status) => ({ id: 'task_1', status })),
    ...(fault !== undefined && { cause: { fault } }),
  }
  const request = {
    operation: 'tasks.retrieve',
    method: 'GET',
    path: '/tasks/1',
    status: 200,
    at: 0,
    delivered: true,
    note,
  } as unknown as AnsweredRequest
  const entries = [{ type: 'request' as const, request }] as never
  const [line] = timelineOf({ entries, unanswered: [] }, new Exploration({ clock: { now: () => 0 } }))
  return line?.text
}

it.each([
  [
    'the end of a task without its output',
    'tasks.retrieve#1.succeeded',
    ['processing'],
    undefined,
    '200 succeeded',
  ],
  ['an earlier state', 'tasks.retrieve#1.succeeded', ['processing'], { stale: true }, '200 processing'],
  ['a running task', 'tasks.retrieve#1.processing', ['processing'], undefined, '200 processing'],
  ['a state that nobody knows', 'tasks.retrieve#1.succeeded', [], undefined, '200'],
])('a changed answer has the state that the client saw: %s', (_, place, observed, fault, text) => {
  expect(lineOf(place, observed, fault)).toBe(`GET /tasks/1 -> ${text}, changed`)
})
