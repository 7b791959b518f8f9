import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VirtualClock } from '../../../src/engine/clock/virtual-clock.js'

const NOON = Date.parse('2026-05-01T12:00:00Z')
const DAY = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a clock at speed 1 starts at the time of the machine and keeps pace with it', () => {
  const clock = new VirtualClock(1)
  expect(clock.now()).toBe(NOON)
  vi.advanceTimersByTime(1_234)
  expect(clock.now()).toBe(NOON + 1_234)
})

test('at speed 60 a second of the machine is a minute of the service', () => {
  const clock = new VirtualClock(60)
  vi.advanceTimersByTime(1_000)
  expect(clock.now()).toBe(NOON + 60_000)
})

test('a manual clock stops until it is advanced, and never goes back', () => {
  const clock = new VirtualClock(0, 500)
  vi.advanceTimersByTime(DAY)
  expect(clock.now()).toBe(500)
  clock.moveTo(700)
  clock.moveTo(600)
  expect(clock.now()).toBe(700)
})

test('a new speed applies from its change on, and does not alter the past', () => {
  const clock = new VirtualClock(10, 0)
  vi.advanceTimersByTime(100)
  clock.setSpeed(0)
  vi.advanceTimersByTime(100)
  clock.setSpeed(2)
  vi.advanceTimersByTime(100)
  expect(clock.now()).toBe(1_000 + 200)
})

test('the time does not go back when the wall clock is set back, and continues from there', () => {
  const clock = new VirtualClock(1)
  vi.advanceTimersByTime(5_000)
  expect(clock.now()).toBe(NOON + 5_000)
  vi.setSystemTime(NOON - DAY)
  expect(clock.now()).toBe(NOON + 5_000)
  vi.advanceTimersByTime(300)
  expect(clock.now()).toBe(NOON + 5_300)
})

test('an alarm still fires after the wall clock is set back', () => {
  const clock = new VirtualClock(1)
  const wake = vi.fn(() => clock.now())
  clock.setAlarm(NOON + 1_000, wake)
  vi.setSystemTime(NOON - DAY)
  vi.advanceTimersByTime(2_000)
  expect(wake).toHaveBeenCalledOnce()
  expect(wake).toHaveReturnedWith(NOON + 1_000)
})

test('an alarm fires once, at its time on a clock with a speed', () => {
  const clock = new VirtualClock(100)
  const wake = vi.fn()
  clock.setAlarm(NOON + 1_000, wake)
  vi.advanceTimersByTime(9)
  expect(wake).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(wake).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(DAY)
  expect(wake).toHaveBeenCalledOnce()
})

test('an alarm beyond the longest timer delay fires at its time, not at once', () => {
  const clock = new VirtualClock(1)
  const wake = vi.fn()
  clock.setAlarm(NOON + 60 * DAY, wake)
  vi.advanceTimersByTime(60 * DAY - 1)
  expect(wake).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(wake).toHaveBeenCalledOnce()
})

test('a new alarm replaces the old one, and undefined removes it', () => {
  const clock = new VirtualClock(1)
  const first = vi.fn()
  const second = vi.fn()
  clock.setAlarm(NOON + 1_000, first)
  clock.setAlarm(NOON + 2_000, second)
  vi.advanceTimersByTime(2_000)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
  clock.setAlarm(NOON + 3_000, first)
  clock.setAlarm(undefined, first)
  vi.advanceTimersByTime(DAY)
  expect(first).not.toHaveBeenCalled()
})

test('an alarm waits while time is frozen and fires after it runs again', () => {
  const clock = new VirtualClock(1)
  const wake = vi.fn()
  clock.setAlarm(NOON + 1_000, wake)
  clock.setSpeed(0)
  vi.advanceTimersByTime(DAY)
  expect(wake).not.toHaveBeenCalled()
  clock.setSpeed(1)
  vi.advanceTimersByTime(1_000)
  expect(wake).toHaveBeenCalledOnce()
})

test('a restart restores the first instant and the first speed', () => {
  const clock = new VirtualClock(0, 500)
  clock.moveTo(900)
  clock.setSpeed(5)
  clock.restart()
  vi.advanceTimersByTime(1_000)
  expect([clock.now(), clock.speed]).toEqual([500, 0])
})

test('a running clock stops at the end of the year 9999, once and at once', () => {
  const onEnd = vi.fn()
  const clock = new VirtualClock(1_000_000, undefined, onEnd)
  clock.moveTo(Date.parse('9999-12-31T23:59:00Z'))
  const wake = vi.fn()
  clock.setAlarm(Date.parse('9999-12-31T23:59:59.999Z') + 1, wake)
  vi.advanceTimersByTime(DAY)
  expect([clock.now(), clock.speed]).toEqual([Date.parse('9999-12-31T23:59:59.999Z'), 0])
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(wake).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('a clock that continues after a gap stops at the end of the year 9999', () => {
  const onEnd = vi.fn()
  const clock = new VirtualClock(0, 0, onEnd)
  clock.restore({ speed: 1_000_000, now: NOON, wall: 0 }, true)
  expect([clock.now(), clock.speed]).toEqual([Date.parse('9999-12-31T23:59:59.999Z'), 0])
  expect(onEnd).toHaveBeenCalledTimes(1)
})
