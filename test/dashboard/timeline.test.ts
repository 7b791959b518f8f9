import { describe, expect, it } from 'vitest'
import { drawTimeline, type Moment, type Story, ticksFor } from '../../src/dashboard/model/timeline.js'

const CREATED = 1_000_000

function story(more: Partial<Story> = {}): Story {
  return {
    created: CREATED,
    started: CREATED,
    ended: CREATED + 10_000,
    planned: undefined,
    now: CREATED + 10_000,
    moments: [],
    ...more,
  }
}

function moment(kind: Moment['kind'], after: number, ok = true): Moment {
  return { kind, at: CREATED + after, label: kind, ok }
}

describe('the timeline of a task', () => {
  it('shows how long it waited and how long it was processed, to scale', () => {
    const { segments } = drawTimeline(story({ started: CREATED + 2_500 }), 1_000)
    expect(segments.map(({ kind }) => kind)).toEqual(['queued', 'processing'])
    const [queued, processing] = segments
    expect(queued?.x).toBe(0)
    expect(processing?.x).toBeCloseTo(queued?.width ?? 0)
    expect((processing?.width ?? 0) / (queued?.width ?? 1)).toBeCloseTo(3, 1)
  })

  it('shows the rest of what is planned while it is under way, and where now is', () => {
    const { segments, nowX } = drawTimeline(
      story({ ended: undefined, planned: CREATED + 10_000, now: CREATED + 5_000 }),
      1_000,
    )
    expect(segments.map(({ kind }) => kind)).toEqual(['processing', 'planned'])
    expect(nowX).toBe(segments[1]?.x)
  })

  it('shows a task that waits and of which nothing is known as queued up to now', () => {
    const { segments } = drawTimeline(story({ started: undefined, ended: undefined }), 1_000)
    expect(segments.map(({ kind }) => kind)).toEqual(['queued'])
  })

  it('lets nothing lie outside the picture', () => {
    const moments = [0, 1, 9_999, 10_000, 30_000, 49_000].map((after) => moment('poll', after))
    const { marks } = drawTimeline(story({ moments }), 500)
    for (const { x } of marks) expect(x).toBeGreaterThanOrEqual(0)
    for (const { x } of marks) expect(x).toBeLessThanOrEqual(500)
  })

  it('gathers polls that lie on each other, and counts them', () => {
    const moments = Array.from({ length: 1_000 }, (_, index) => moment('poll', index * 10))
    const { marks } = drawTimeline(story({ moments }), 300)
    expect(marks.length).toBeLessThan(120)
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(1_000)
  })

  it('never gathers what went well with what did not', () => {
    const moments = [moment('delivery', 5_000, false), moment('delivery', 5_000, true)]
    const { marks } = drawTimeline(story({ moments }), 300)
    expect(marks.map(({ ok }) => ok)).toEqual([false, true])
  })

  it('puts what comes much later behind a break, and keeps the scale of the rest', () => {
    const { breakX, later, segments } = drawTimeline(
      story({ moments: [moment('expiry', 86_400_000)] }),
      1_000,
    )
    expect(breakX).toBeLessThan(1_000)
    expect(later).toMatchObject([{ kind: 'expiry', after: 86_400_000 }])
    expect(later[0]?.x).toBeGreaterThan(breakX ?? 0)
    expect(segments[0]?.width).toBeGreaterThan(700)
  })

  it('has an axis of round offsets that do not crowd each other', () => {
    expect(ticksFor(10_400, 1_000)).toEqual([
      0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000,
    ])
    expect(ticksFor(10_400, 300)).toEqual([0, 5_000, 10_000])
    expect(ticksFor(86_400_000 * 30, 500).length).toBeLessThan(7)
  })
})
