import { expect, test } from 'vitest'
import type { DurationText } from '../../../src/engine/clock/durations.js'
import { readDuration } from '../../../src/engine/clock/durations.js'

const READ: Record<DurationText, number> = {
  '0s': 0,
  '250ms': 250,
  '3s': 3_000,
  '1.5s': 1_500,
  '0.05s': 50,
  '1.005s': 1_005,
  '0.5d': 43_200_000,
  '5m': 300_000,
  '24h': 86_400_000,
  '30d': 2_592_000_000,
  '1h30m': 5_400_000,
  '1m1.5s': 61_500,
  '2s500ms': 2_500,
  '1d12h30m15s250ms': 131_415_250,
}

test.each(Object.entries(READ))(
  '%s is a duration for the compiler and for the parser',
  (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds)
  },
)

const REFUSED = [
  // @ts-expect-error: it contains a space
  '2 s' satisfies DurationText,
  // @ts-expect-error: the unit does not exist
  '5 minutes' satisfies DurationText,
  // @ts-expect-error: the unit does not exist
  '5min' satisfies DurationText,
  // @ts-expect-error: the unit is missing
  '5' satisfies DurationText,
  // @ts-expect-error: the number is missing
  's' satisfies DurationText,
  // @ts-expect-error: it is empty
  '' satisfies DurationText,
  // @ts-expect-error: a smaller unit comes first
  '30m1h' satisfies DurationText,
  // @ts-expect-error: a unit occurs twice
  '1h1h' satisfies DurationText,
  // @ts-expect-error: it contains a space between the parts
  '1h 30m' satisfies DurationText,
  // @ts-expect-error: it has an exponent
  '1e3s' satisfies DurationText,
]

test.each(REFUSED)('%j is a duration neither for the compiler nor for the parser', (text) => {
  expect(readDuration(text)).toBeUndefined()
})
