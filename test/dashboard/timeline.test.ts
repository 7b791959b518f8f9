import { describe, expect, it } from 'vitest'
import type { DeliveryShape, EntryShape, TaskBriefShape, TaskShape } from '../../src/control/shapes.js'
import { type TaskRecord, timelineOf } from '../../src/dashboard/model/tasks/task-record.js'
import { lastExpiry, sinceExpiry } from '../../src/dashboard/model/tasks/url-expiry.js'
import {
  layOutTimeline,
  scaleOf,
  type TimelineItem,
  ticksFor,
} from '../../src/dashboard/model/timeline/timeline-layout.js'
import { itemText } from '../../src/dashboard/model/timeline/timeline-text.js'

const CREATED = Date.parse('2026-01-01T00:00:00.000Z')

function iso(after: number): string {
  return new Date(CREATED + after).toISOString()
}

const TASK: TaskShape = {
  id: 'task_1',
  model: 'acme/image-1',
  kind: 'image',
  dialect: 'tasks',
  key: 'sk_...ocal',
  status: 'succeeded',
  input: {},
  created_at: iso(0),
  started_at: iso(0),
  completed_at: iso(10_000),
  held: false,
  plan: { outcome: 'succeeded', ends_at: iso(10_000) },
}
const RUNNING = { status: 'processing', completed_at: undefined } as const

let number = 0
function request(after: number, more: object = {}): EntryShape {
  number += 1
  return {
    number,
    id: `req_${number}`,
    at: iso(after),
    type: 'request',
    method: 'GET',
    path: '/api/v1/tasks/task_1',
    query: '',
    operation: 'tasks.retrieve',
    status: 200,
    delivered: true,
    key: 'sk_...ocal',
    task_id: 'task_1',
    took_ms: 1,
    held_ms: 0,
    ...more,
  }
}

function control(what: string, after: number): EntryShape {
  return { number: 1, at: iso(after), type: 'control', what, task_id: 'task_1' }
}

function delivery(url: string, attempts: readonly (readonly [after: number, status: number])[]) {
  const shape: Partial<DeliveryShape> = {
    id: `dlv_${url}`,
    event: 'task.succeeded',
    url,
    state: 'delivered',
    created_at: iso(10_000),
    attempts: attempts.map(([after, status], index) => ({
      number: index + 1,
      started_at: iso(after),
      took_ms: 1,
      status,
      request: { headers: {}, body: '', body_base64: '' },
    })),
  }
  return shape as DeliveryShape
}

const url = (expires: number) => `https://a.test/files/task_1/0.png?expires=${expires}&signature=1`

function answer(after: number, expires: number): EntryShape {
  return request(after, { response_body: JSON.stringify({ images: [url(expires)] }) })
}

interface Given {
  readonly task?: Partial<TaskShape>
  readonly entries?: readonly EntryShape[]
  readonly deliveries?: readonly DeliveryShape[]
  readonly now?: number
  readonly width?: number
}

function layOut({ task = {}, entries = [], deliveries = [], now = 10_000, width = 1_000 }: Given = {}) {
  const record = { task: { ...TASK, ...task } as TaskShape, entries, deliveries } as Partial<TaskRecord>
  const timeline = timelineOf(record as TaskRecord, CREATED + now)
  const scale = scaleOf([timeline], width)
  return { timeline, scale, ...layOutTimeline(timeline, scale) }
}

function kinds(items: readonly TimelineItem[]): string[] {
  return items.map(({ kind }) => kind)
}

describe('the periods of a task', () => {
  it('are to scale', () => {
    const [queued, processing] = layOut({ task: { started_at: iso(2_500) } }).items
    expect([queued?.kind, queued?.x, processing?.kind]).toEqual(['queued', 0, 'processing'])
    expect((processing?.width ?? 0) / (queued?.width ?? 1)).toBeCloseTo(3, 1)
  })

  it('have the planned rest of a running task, whose current time is marked', () => {
    const { items, nowX } = layOut({ task: RUNNING, now: 5_000 })
    expect(kinds(items)).toEqual(['processing', 'planned', 'plan'])
    expect(nowX).toBe(items[1]?.x)
  })

  it('are queued until now for a waiting task without a plan', () => {
    const plan = { outcome: 'succeeded' } as const
    expect(kinds(layOut({ task: { ...RUNNING, started_at: undefined, plan } }).items)).toEqual(['queued'])
  })

  it('show when a task was held, also if it still is', () => {
    const entries = [control('hold', 1_000), control('release', 2_000), control('hold', 4_000)]
    const { timeline } = layOut({ task: { ...RUNNING, held: true }, entries, now: 6_000 })
    const held = timeline.periods.filter(({ kind }) => kind === 'held')
    expect(held.map(({ from, to }) => [from - CREATED, to - CREATED])).toEqual([
      [1_000, 2_000],
      [4_000, 6_000],
    ])
  })
})

describe('the marks of a task', () => {
  it('show the end, and the planned end if the task ended otherwise', () => {
    const canceled = layOut({ task: { status: 'canceled', completed_at: iso(4_000) } }).items
    expect(canceled.map(({ kind, label, ok }) => [kind, label, ok])).toEqual([
      ['processing', 'processing', undefined],
      ['end', 'canceled', false],
      ['plan', 'planned end: succeeded', undefined],
    ])
    expect(kinds(layOut().items)).toEqual(['processing', 'end'])
  })

  it('show a lost answer as a failure, and lead to its request', () => {
    const fault = { what: 'fault', name: 'gone', reason: 'The rule applied.' }
    const [lost] = layOut({
      entries: [request(5_000, { id: 'req_9', delivered: false, decided_by: fault })],
    }).items.filter(({ kind }) => kind === 'poll')
    expect(lost).toMatchObject({
      kind: 'poll',
      label: 'poll: lost, fault “gone”',
      ok: false,
      target: { view: 'requests', id: 'req_9' },
    })
  })

  it('have a lane for each receiver, and a line between the attempts of a delivery', () => {
    const deliveries = [
      delivery('https://b.example/hook', [
        [10_000, 503],
        [15_000, 200],
      ]),
      delivery('https://a.example/hook', [[10_000, 200]]),
    ]
    const { timeline, chains, items } = layOut({ deliveries })
    expect(timeline.lanes.map(({ name }) => name)).toEqual([
      'Requests',
      'Files',
      'a.example/hook',
      'b.example/hook',
    ])
    const same = [delivery('https://a.example/one', []), delivery('https://a.example/two', [])]
    expect(
      layOut({ deliveries: same })
        .timeline.lanes.slice(2)
        .map(({ name }) => name),
    ).toEqual(['/two', '/one'])
    const attempts = items.filter(({ kind }) => kind === 'delivery')
    expect(attempts.map(({ lane, ok }) => [lane, ok])).toEqual([
      [3, true],
      [4, false],
      [4, true],
    ])
    expect(chains).toEqual([{ lane: 4, x1: attempts[1]?.x, x2: attempts[2]?.x }])
  })

  it('are combined and counted where they overlap, but never successes with failures', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => request(index * 10))
    const polls = layOut({ entries: many, width: 300 }).items.filter(({ kind }) => kind === 'poll')
    expect(polls.length).toBeLessThan(90)
    expect(polls.reduce((sum, { count }) => sum + count, 0)).toBe(1_000)
    const mixed = [request(5_000, { status: 503 }), request(5_000)]
    expect(layOut({ entries: mixed, width: 300 }).items.filter(({ kind }) => kind === 'poll')).toHaveLength(2)
  })

  it('name the absolute times and those after the creation', () => {
    const { items } = layOut({ entries: [request(2_000), request(2_001)], width: 300 })
    const poll = items.find(({ kind }) => kind === 'poll')
    expect(poll && itemText(poll, CREATED, '2026-01-01')).toEqual({
      name: '2 × poll: 200',
      when: '00:00:02.000 to 00:00:02.001',
      after: '2 s to 2 s after the creation',
    })
  })
})

describe('the scale of a timeline', () => {
  it('draws nothing outside the chart', () => {
    const entries = [0, 1, 9_999, 10_000, 30_000, 49_000, 1e9].map((after) => request(after))
    for (const { x, width } of layOut({ entries, width: 500 }).items) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(500)
    }
  })

  it('places much later events after a break, and keeps the scale of the rest', () => {
    const { scale, items } = layOut({ entries: [answer(10_000, 1767312000)] })
    expect(scale.slots).toMatchObject([{ after: 86_400_000 }])
    expect(items.find(({ kind }) => kind === 'expiry')?.x).toBeGreaterThan(scale.end)
    expect(items[0]?.width).toBeGreaterThan(700)
  })

  it('has round offsets at a readable distance', () => {
    expect(ticksFor(10_400, 1_000)).toEqual([
      0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000,
    ])
    expect(ticksFor(10_400, 300)).toEqual([0, 5_000, 10_000])
    expect(ticksFor(86_400_000 * 30, 500).length).toBeLessThan(7)
  })
})

describe('the expiry of URLs', () => {
  const [first, second] = [1767312000, 1767313000]

  it('is that of the URLs in answers and webhooks that the client got', () => {
    const [webhook] = [delivery('https://app.test', [[10_000, 200]])]
    Object.assign(webhook.attempts[0]?.request ?? {}, { body: JSON.stringify({ url: url(first) }) })
    const lost = request(11_000, { ...answer(11_000, 1767399000), delivered: false })
    const { items } = layOut({
      entries: [answer(10_000, second), answer(10_001, second), lost, request(12_000)],
      deliveries: [webhook],
      now: second * 1_000 - 500_000 - CREATED,
      width: 2_000,
    })
    const labels = items
      .filter(({ kind }) => kind === 'expiry')
      .map(({ label, from }) => [label, from / 1_000])
    expect(labels).toEqual([['the URLs of a webhook have expired', first]])
    expect(items.find(({ kind }) => kind === 'expiry')).toMatchObject({ count: 2, to: second * 1_000 })
  })

  it('in a list follows the last answer only if answers have fresh URLs', () => {
    const brief = { ...TASK, prompt: '', files: 1 } as TaskBriefShape
    const end = CREATED + 10_000
    const expiry = (renewed: boolean, files = 1) =>
      lastExpiry({ ...brief, files }, { lifetime_ms: 60_000, renewed }, new Date(end + 5_000).toISOString())
    expect([expiry(true), expiry(false), expiry(true, 0)]).toEqual([end + 65_000, end + 60_000, undefined])
    expect(sinceExpiry(end, end + 1_860_000)).toBe('expired 31 min ago')
    expect(sinceExpiry(end, end - 1)).toBeUndefined()
  })
})
