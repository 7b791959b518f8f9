import { computed, signal } from '@preact/signals'
import type { ClockShape } from '../../control/shapes.js'
import { day } from '../model/format.js'
import { sandbox } from './route.js'
import { zone } from './zone.js'

const TICK = 100

/** The last known state of the simulator's clock, and when it was received. */
const received = signal<{ clock: ClockShape; at: number } | undefined>(undefined)
const tick = signal(0)
/** When the server became unreachable, by `performance.now()`; undefined while it answers. */
const stoppedAt = signal<number | undefined>(undefined)

/** Updates the clock from a response. */
export function setClock(clock: ClockShape): void {
  received.value = { clock, at: performance.now() }
  stoppedAt.value = undefined
  if (clock.mode === 'real') speeds.value = { ...speeds.peek(), [sandbox.peek() ?? '']: clock.speed }
}

/** Stops the shown time, because the time of the server is unknown. */
export function stopClock(): void {
  stoppedAt.value ??= performance.now()
}

/** The last speed of the clock of each sandbox. */
const speeds = signal<Readonly<Record<string, number>>>({})

/** The last speed at which the clock ran. */
export const lastSpeed = computed(() => speeds.value[sandbox.value ?? ''] ?? 1)

export const clock = computed(() => received.value?.clock)

/** The simulated time in epoch milliseconds, extrapolated between responses. */
export const now = computed(() => {
  tick.value
  if (received.value === undefined) return 0
  const { clock, at } = received.value
  const passed = clock.mode === 'real' ? ((stoppedAt.value ?? performance.now()) - at) * clock.speed : 0
  return Date.parse(clock.now) + passed
})

/** The simulated time in whole seconds, for fewer renders. */
export const nowInSeconds = computed(() => Math.floor(now.value / 1_000) * 1_000)

/** The simulated date. */
export const today = computed(() => {
  zone.value
  return day(now.value)
})

setInterval(() => {
  if (!document.hidden && received.value?.clock.mode === 'real') tick.value += 1
}, TICK)
