import type { ClockShape } from '../../../control/shapes.js'
import { clock, setClock } from '../../state/clock.js'
import { attempt } from '../../state/notices.js'
import { control } from '../../state/session.js'

/** Turns the clock, and shows what it says then. */
async function turn(action: () => Promise<ClockShape>): Promise<void> {
  const turned = await attempt(action)
  if (turned !== undefined) setClock(turned)
}

export function advance(duration: string): Promise<void> {
  return turn(() => control.value.clock.advance(duration))
}

/** Goes to the next thing that is planned, where something is. */
export async function toNext(): Promise<void> {
  const { next } = await control.value.clock.read()
  if (next !== null) await turn(() => control.value.clock.advanceTo(next))
}

export function toIdle(): Promise<void> {
  return turn(() => control.value.clock.runUntilIdle())
}

/** Stops the clock, or lets it run. */
export function toggleClock(): Promise<void> {
  const isRunning = clock.value?.mode === 'real'
  return turn(() => (isRunning ? control.value.clock.freeze() : control.value.clock.run()))
}
