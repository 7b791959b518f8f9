import { describe, expect, it } from 'vitest'
import {
  layOutTimeline,
  type TaskTimeline,
  type TimelineEvent,
  ticksFor,
} from '../../src/dashboard/model/timeline.js'

const CREATED = 1_000_000

function timeline(more: Partial<TaskTimeline> = {}): TaskTimeline {
  return {
    created: CREATED,
    started: CREATED,
    ended: CREATED + 10_000,
    planned: undefined,
    now: CREATED + 10_000,
    events: [],
    ...more,
  }
}

function event(kind: TimelineEvent['kind'], after: number, ok = true): TimelineEvent {
  return { kind, at: CREATED + after, label: kind, ok }
}

describe('the timeline of a task', () => {
  it('shows queueing and processing times to scale', () => {
    const { segments } = layOutTimeline(timeline({ started: CREATED + 2_500 }), 1_000)
    expect(segments.map(({ kind }) => kind)).toEqual(['queued', 'processing'])
    const [queued, processing] = segments
    expect(queued?.x).toBe(0)
    expect(processing?.x).toBeCloseTo(queued?.width ?? 0)
    expect((processing?.width ?? 0) / (queued?.width ?? 1)).toBeCloseTo(3, 1)
  })

  it('shows the planned rest of a running task and the current time', () => {
    const { segments, nowX } = layOutTimeline(
      timeline({ ended: undefined, planned: CREATED + 10_000, now: CREATED + 5_000 }),
      1_000,
    )
    expect(segments.map(({ kind }) => kind)).toEqual(['processing', 'planned'])
    expect(nowX).toBe(segments[1]?.x)
  })

  it('shows a waiting task without a plan as queued until now', () => {
    const { segments } = layOutTimeline(timeline({ started: undefined, ended: undefined }), 1_000)
    expect(segments.map(({ kind }) => kind)).toEqual(['queued'])
  })

  it('draws nothing outside the layout', () => {
    const events = [0, 1, 9_999, 10_000, 30_000, 49_000].map((after) => event('poll', after))
    const { marks } = layOutTimeline(timeline({ events }), 500)
    for (const { x } of marks) expect(x).toBeGreaterThanOrEqual(0)
    for (const { x } of marks) expect(x).toBeLessThanOrEqual(500)
  })

  it('combines overlapping polls and counts them', () => {
    const events = Array.from({ length: 1_000 }, (_, index) => event('poll', index * 10))
    const { marks } = layOutTimeline(timeline({ events }), 300)
    expect(marks.length).toBeLessThan(120)
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(1_000)
  })

  it('never combines successes with failures', () => {
    const events = [event('delivery', 5_000, false), event('delivery', 5_000, true)]
    const { marks } = layOutTimeline(timeline({ events }), 300)
    expect(marks.map(({ ok }) => ok)).toEqual([false, true])
  })

  it('draws much later events after a break, and keeps the scale of the rest', () => {
    const { breakX, later, segments } = layOutTimeline(
      timeline({ events: [event('expiry', 86_400_000)] }),
      1_000,
    )
    expect(breakX).toBeLessThan(1_000)
    expect(later).toMatchObject([{ kind: 'expiry', after: 86_400_000 }])
    expect(later[0]?.x).toBeGreaterThan(breakX ?? 0)
    expect(segments[0]?.width).toBeGreaterThan(700)
  })

  it('has an axis with round offsets at a readable distance', () => {
    expect(ticksFor(10_400, 1_000)).toEqual([
      0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000,
    ])
    expect(ticksFor(10_400, 300)).toEqual([0, 5_000, 10_000])
    expect(ticksFor(86_400_000 * 30, 500).length).toBeLessThan(7)
  })
})
