import { computed, signal } from '@preact/signals'
import type { ClockShape } from '../../control/shapes.js'

const TICK = 100

/** The simulator's clock as it was last told, and when that was. */
const told = signal<{ clock: ClockShape; at: number } | undefined>(undefined)
const tick = signal(0)

/** Takes in what an answer told of the clock. */
export function setClock(clock: ClockShape): void {
  told.value = { clock, at: performance.now() }
}

export const clock = computed(() => told.value?.clock)

/** What time it is in the simulator, in epoch milliseconds; it goes on between two answers. */
export const now = computed(() => {
  tick.value
  if (told.value === undefined) return 0
  const { clock, at } = told.value
  const passed = clock.mode === 'real' ? (performance.now() - at) * clock.speed : 0
  return Date.parse(clock.now) + passed
})

/** The same, to a second: what shows no parts of one need not be drawn ten times in it. */
export const nowInSeconds = computed(() => Math.floor(now.value / 1_000) * 1_000)

setInterval(() => {
  if (!document.hidden && told.value?.clock.mode === 'real') tick.value += 1
}, TICK)
