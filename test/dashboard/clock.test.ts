import { describe, expect, it } from 'vitest'
import { nameOf, readTarget, unlessPassed, waitUntil } from '../../src/dashboard/model/clock.js'

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0)

describe('the target of a jump', () => {
  it.each([
    ['+2h', '2026-01-31T14:00:00.000Z'],
    ['90s', '2026-01-31T12:01:30.000Z'],
    ['+1h 30 min', '2026-01-31T13:30:00.000Z'],
    ['1.5h', '2026-01-31T13:30:00.000Z'],
    ['250ms', '2026-01-31T12:00:00.250Z'],
    ['30d', '2026-03-02T12:00:00.000Z'],
    ['14:30', '2026-01-31T14:30:00.000Z'],
    ['9:05', '2026-02-01T09:05:00.000Z'],
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01 07:30', '2026-02-01T07:30:00.000Z'],
    ['2026-02-01T07:30:15Z', '2026-02-01T07:30:15.000Z'],
  ])('%j is %s', (text, expected) => {
    const { at } = readTarget(text, NOW)
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected)
  })

  it.each(['', 'soon', '2', '-2h', '2026-02-30', '25:00', '2026-01-30', '99999999d', '2026-13-01 10:00'])(
    'is not %j',
    (text) => {
      expect(readTarget(text, NOW)).toMatchObject({ at: undefined })
    },
  )

  it('says beforehand how far the clock will move', () => {
    expect(readTarget('+2h', NOW).text).toBe('2 h forward, to 2026-01-31 14:00:00 UTC')
    expect(readTarget('2026-01-30', NOW).text).toBe('That is 1 d 12 h ago. Time only moves forward.')
  })
})

it('an upcoming event says when and what will happen, until it has passed', () => {
  const webhook = { what: 'webhook', at: '2026-01-31T12:03:20.000Z', task_id: 'task_12' } as const
  expect([waitUntil(webhook.at, NOW), nameOf(webhook)]).toEqual(['in 3 min 20 s', 'webhook of task_12'])
  expect(unlessPassed(webhook, NOW)).toBe(webhook)
  expect(unlessPassed(webhook, NOW + 200_000)).toBeUndefined()
})
