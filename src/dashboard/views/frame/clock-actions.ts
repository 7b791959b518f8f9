import type { ClockShape } from '../../../control/shapes.js'
import { clock, setClock } from '../../state/clock.js'
import { runAction } from '../../state/notifications.js'
import { control } from '../../state/session.js'

/** Changes the clock and shows its new state. */
async function changeClock(action: () => Promise<ClockShape>): Promise<void> {
  const changed = await runAction(action)
  if (changed !== undefined) setClock(changed)
}

export function advance(duration: string): Promise<void> {
  return changeClock(() => control.value.clock.advance(duration))
}

/** Advances to the next scheduled event, if any. */
export async function advanceToNextEvent(): Promise<void> {
  const { next } = await control.value.clock.read()
  if (next !== null) await changeClock(() => control.value.clock.advanceTo(next))
}

export function advanceUntilIdle(): Promise<void> {
  return changeClock(() => control.value.clock.runUntilIdle())
}

export function toggleClock(): Promise<void> {
  const isRunning = clock.value?.mode === 'real'
  return changeClock(() => (isRunning ? control.value.clock.freeze() : control.value.clock.run()))
}
