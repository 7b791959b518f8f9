import { signal } from '@preact/signals'
import type { ClockShape } from '../../../control/shapes.js'
import { clockTime, day } from '../../model/format.js'
import { clock, lastSpeed, setClock } from '../../state/clock.js'
import { runAction } from '../../state/notifications.js'
import { sandbox } from '../../state/route.js'
import { control } from '../../state/session.js'

/** What the last action did, for screen readers. */
export const announcement = signal('')

/** Changes the clock and shows its new state. */
async function changeClock(action: () => Promise<ClockShape>): Promise<void> {
  const { value: current } = sandbox
  const changed = await runAction(action)
  // The user may have switched to another clock meanwhile.
  if (changed === undefined || current !== sandbox.value) return
  setClock(changed)
  const at = Date.parse(changed.now)
  announcement.value = `It is ${day(at)}, ${clockTime(at)}.`
}

export function advance(duration: string): Promise<void> {
  return changeClock(() => control.value.clock.advance(duration))
}

/** Advances to an instant in epoch milliseconds. */
export function advanceTo(at: number): Promise<void> {
  return changeClock(() => control.value.clock.advanceTo(new Date(at).toISOString()))
}

/** Advances to the next scheduled event, if any. */
export async function advanceToNextEvent(): Promise<void> {
  const next = (await runAction(() => control.value.clock.read()))?.next
  if (next != null) await changeClock(() => control.value.clock.advanceTo(next))
}

export function advanceUntilIdle(): Promise<void> {
  return changeClock(() => control.value.clock.runUntilIdle())
}

/** Runs the clock at a speed: simulated seconds per real second. */
export function runAtSpeed(speed: number): Promise<void> {
  return changeClock(() => control.value.clock.run(speed))
}

export function toggleClock(): Promise<void> {
  if (clock.value?.mode !== 'real') return runAtSpeed(lastSpeed.value)
  return changeClock(() => control.value.clock.freeze())
}
