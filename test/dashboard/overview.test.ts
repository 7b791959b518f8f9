import { describe, expect, it } from 'vitest'
import type { TaskBriefShape } from '../../src/client/index.js'
import { barOf, overlaps, stagesOf } from '../../src/dashboard/model/overview/bar.js'
import { costLines } from '../../src/dashboard/model/overview/spending.js'
import {
  fittingRange,
  type Span,
  spanOf,
  ticksOf,
  timesOf,
} from '../../src/dashboard/model/overview/time-range.js'

const START = Date.parse('2026-01-01T00:00:00Z')

/** A task with times in milliseconds after the start. */
function span(created: number, started?: number, ended?: number, more: Partial<TaskBriefShape> = {}): Span {
  const at = (after: number) => new Date(START + after).toISOString()
  return spanOf({
    id: `task_${created}`,
    model: 'acme/image-1',
    kind: 'image',
    dialect: 'tasks',
    key: 'sk_...1234',
    status: ended !== undefined ? 'succeeded' : started !== undefined ? 'processing' : 'queued',
    prompt: 'A red boat',
    created_at: at(created),
    ...(started !== undefined && { started_at: at(started) }),
    ...(ended !== undefined && { completed_at: at(ended) }),
    held: false,
    ...more,
  })
}

const range = { from: START, to: START + 10_000 }

describe('a bar', () => {
  it('has the time in the queue, the processing time and its end, as shares of the range', () => {
    expect(barOf(span(1_000, 3_000, 6_000), range, range.to)).toEqual({
      queued: { start: 0.1, length: expect.closeTo(0.2) },
      processing: { start: 0.3, length: expect.closeTo(0.3) },
      end: 0.6,
    })
  })

  it('of a task that runs ends now, and one that was canceled in the queue has no processing time', () => {
    expect(barOf(span(0, 0), range, START + 5_000)).toMatchObject({ queued: undefined, end: 0.5 })
    expect(barOf(span(0, undefined, 2_000), range, range.to)).toMatchObject({
      queued: { start: 0, length: 0.2 },
      processing: undefined,
    })
  })

  it('leaves out what happened before the range', () => {
    expect(barOf(span(-9_000, -5_000, 5_000), range, range.to)).toEqual({
      queued: undefined,
      processing: { start: 0, length: 0.5 },
      end: 0.5,
    })
    expect(
      [span(-9_000, -8_000, -1), span(-9_000, -8_000), span(10_001)].map((each) => overlaps(each, range)),
    ).toEqual([false, true, false])
  })

  it('says how long its task was queued and processed', () => {
    expect(stagesOf(span(0, 1_000, 4_400), START)).toBe('queued 1 s, processing 3.4 s')
    expect(stagesOf(span(0), START + 2_000)).toBe('queued 2 s')
  })
})

describe('the range', () => {
  it('is the shortest one that shows the latest tasks, but does not shrink new ones to dots', () => {
    const choose = (...created: number[]) =>
      fittingRange(
        created.map((at) => span(at)),
        START + 10_000_000,
      )
    expect(choose(9_990_000, 9_950_000)).toBe('1 min')
    expect(choose(9_990_000, 9_500_000)).toBe('10 min')
    expect(choose(9_990_000, 0)).toBe('1 h')
    expect(choose(0)).toBe('All')
  })

  it('ends with the last event, or now if a task still runs or the range follows the clock', () => {
    const ended = [span(0, 0, 60_000)]
    const later = START + 90_000
    expect(timesOf('All', ended, later)).toEqual({ from: START, to: START + 60_000 })
    expect(timesOf('All', [...ended, span(0, 0)], later).to).toBe(later)
    expect(timesOf('1 min', ended, later)).toEqual({ from: START + 30_000, to: later })
  })

  it('has round ticks with as much of the time as they need', () => {
    const labels = (length: number) => ticksOf({ from: START, to: START + length }).map(({ label }) => label)
    expect(labels(60_000)).toEqual(['00:00:00', '00:00:15', '00:00:30', '00:00:45', '00:01:00'])
    expect(labels(3_600_000)[1]).toBe('00:30')
    expect(labels(5 * 86_400_000)[1]).toBe('2026-01-02')
  })
})

it('the spend has a line for each of the most expensive ones, one for all others, and one for what is unknown', () => {
  const all = [8, 7, 6, 5, 4, 3, 2].map((usd) => ({ name: `model ${usd}`, usd }))
  expect(costLines(all, 1.5).map(({ name, usd }) => [name, usd])).toEqual([
    ['model 8', 8],
    ['model 7', 7],
    ['model 6', 6],
    ['model 5', 5],
    ['model 4', 4],
    ['2 others', 5],
    ['evicted tasks', 1.5],
  ])
})
