import { expect, it } from 'vitest'
import {
  decisionLabel,
  heldTime,
  isRefused,
  REQUEST_FILTER,
  type RequestBrief,
  refusalSummary,
  STATUS_CLASSES,
  statusLabel,
} from '../../src/dashboard/model/requests/request-filter.js'
import { createRequestStore, seenTasks } from '../../src/dashboard/model/requests/request-store.js'
import { pageTitle } from '../../src/dashboard/model/routes.js'

function request(number: number, more: Partial<RequestBrief> = {}): RequestBrief {
  return {
    number,
    id: `req_${number}`,
    at: '2026-01-01T00:00:00.000Z',
    type: 'request',
    method: 'POST',
    path: '/api/v1/tasks',
    query: '',
    dialect: 'tasks',
    operation: 'tasks.create',
    status: 200,
    delivered: true,
    key: 'sk_...ocal',
    took_ms: 1,
    held_ms: 0,
    ...more,
  }
}

const NO_KEY = {
  status: 401,
  key: '',
  decided_by: { what: 'api_key', name: 'missing_key', reason: 'The request has no API key.' },
} as const
const LIMITED = {
  status: 429,
  decided_by: { what: 'rate_limit', name: 'polls', reason: 'It is used up.' },
} as const

it('the page keeps each request once and in order, whether it comes from a page or from the stream', () => {
  const store = createRequestStore()
  store.put(request(12))
  store.addPage([request(13), request(12), request(11), request(9)])
  store.addPage([request(8), request(4)])
  store.put(request(12))
  store.put(request(13))
  expect(store.list(() => true).map(({ number }) => number)).toEqual([13, 12, 11, 9, 8, 4])
})

it('the page keeps as many requests as the journal', () => {
  const store = createRequestStore()
  for (let number = 1; number <= 25_000; number++) store.put(request(number))
  expect(store.size).toBeLessThanOrEqual(11_000)
  expect(store.list(() => true)[0]?.number).toBe(25_000)
})

it('the page knows which request created a task, and when an answer last showed it', () => {
  const of = (number: number, operation: string, more: Partial<RequestBrief> = {}) =>
    request(number, { operation, task_id: 'task_1', at: `2026-01-01T00:00:0${number}.000Z`, ...more })
  const newestFirst = [
    of(5, 'tasks.retrieve', { status: 429 }),
    of(4, 'tasks.cancel'),
    of(3, 'tasks.retrieve'),
    of(2, 'tasks.retrieve'),
    of(1, 'tasks.create'),
  ]
  expect([...seenTasks(newestFirst)]).toEqual([
    ['task_1', { creation: 1, shown: '2026-01-01T00:00:03.000Z' }],
  ])
})

it.each<[Parameters<typeof REQUEST_FILTER.test>[0], number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ status: 'answered' }, [1]],
  [{ status: 'refused' }, [2, 3, 4]],
  [{ status: '4xx' }, [2, 3]],
  [{ status: 'lost' }, [4]],
  [{ status: '429' }, [3]],
  [{ status: '200' }, [1]],
  [{ operation: 'none' }, [2]],
  [{ dialect: 'luma' }, [3]],
  [{ key: 'none' }, [2]],
  [{ text: 'NO key' }, [2]],
  [{ text: 'polls req_3' }, [3]],
])('the filter %j selects the requests %j', (filter, numbers) => {
  const requests = [
    request(1),
    request(2, { ...NO_KEY, operation: undefined }),
    request(3, { ...LIMITED, dialect: 'luma' }),
    request(4, { delivered: false }),
  ]
  const found = requests.filter(REQUEST_FILTER.test(filter))
  expect(found.map(({ number }) => number)).toEqual(numbers)
})

it('the counts of the classes are those of their filters', () => {
  const requests = [200, 404, 429, 503].flatMap((status) => [
    request(1, { status }),
    request(2, { status, delivered: false }),
  ])
  const counted = STATUS_CLASSES.map((status) => [
    status,
    requests.filter(REQUEST_FILTER.test({ status })).length,
  ])
  expect(REQUEST_FILTER.count('status', requests)).toMatchObject(Object.fromEntries(counted))
})

it('the page says how many requests were refused, and why', () => {
  const missing = request(1, NO_KEY)
  expect(refusalSummary([missing])).toBe('1 request was refused: 401, no API key')
  expect(refusalSummary([missing, missing, missing])).toBe('3 requests were refused: 401, no API key')
  const lost = request(2, { delivered: false, decided_by: { what: 'fault', name: 'gone', reason: '' } })
  expect(refusalSummary([lost, missing, missing, request(3, LIMITED)])).toBe(
    '4 requests were refused: 401, no API key (2 times); no answer, fault “gone”; …',
  )
})

it('the page names the part of the service that decided', () => {
  const labelOf = (more: Partial<RequestBrief>) => decisionLabel(request(1, more))
  expect(labelOf({})).toBe('')
  expect(labelOf({ status: 404 })).toBe('the service')
  expect(labelOf(LIMITED)).toBe('rate limit “polls”')
  const reason = ''
  expect(labelOf({ decided_by: { what: 'validation', field: 'input.prompt', reason } })).toBe(
    'invalid input.prompt',
  )
  expect(labelOf({ decided_by: { what: 'not_found', name: 'other_format', reason } })).toBe(
    'task of another format',
  )
  expect(labelOf({ status: 405, decided_by: { what: 'routing', reason } })).toBe('wrong method')
  expect(labelOf({ decided_by: { what: 'fault', name: 'directive', reason } })).toBe('fault of a directive')
})

it('a lost response is a refusal without a status', () => {
  const lost = request(1, { delivered: false })
  expect([isRefused(lost), statusLabel(lost)]).toEqual([true, 'lost'])
})

it('the title of the page has the open item or the view, and the number of refused requests', () => {
  expect(pageTitle({ view: 'requests', id: 'req_7' }, 3)).toBe('(3) req_7 – tasksim')
  expect(pageTitle({ view: 'tasks', id: 'task_12' }, 2, 'failed')).toBe('(2) task_12 failed – tasksim')
  expect(pageTitle({ view: 'tasks', id: undefined }, 0)).toBe('Tasks – tasksim')
})

it('the page shows how long a fault, a limit or a wait held a request, but not the time of every other one', () => {
  const held = (more: Partial<RequestBrief>) => heldTime(request(1, { held_ms: 300, took_ms: 1, ...more }))
  expect(held({})).toBe(0)
  expect(held({ fault: 'slow' })).toBe(300)
  expect(held({ decided_by: { what: 'rate_limit', reason: 'full' } })).toBe(300)
  expect(held({ took_ms: 2_000 })).toBe(300)
})
