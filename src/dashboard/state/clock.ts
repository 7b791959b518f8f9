import { computed, signal } from '@preact/signals'
import type { ClockShape } from '../../control/shapes.js'

const TICK = 100

/** The last known state of the simulator's clock, and when it was received. */
const received = signal<{ clock: ClockShape; at: number } | undefined>(undefined)
const tick = signal(0)

/** Updates the clock from a response. */
export function setClock(clock: ClockShape): void {
  received.value = { clock, at: performance.now() }
}

export const clock = computed(() => received.value?.clock)

/** The simulated time in epoch milliseconds, extrapolated between responses. */
export const now = computed(() => {
  tick.value
  if (received.value === undefined) return 0
  const { clock, at } = received.value
  const passed = clock.mode === 'real' ? (performance.now() - at) * clock.speed : 0
  return Date.parse(clock.now) + passed
})

/** The simulated time in whole seconds, for fewer renders. */
export const nowInSeconds = computed(() => Math.floor(now.value / 1_000) * 1_000)

setInterval(() => {
  if (!document.hidden && received.value?.clock.mode === 'real') tick.value += 1
}, TICK)
