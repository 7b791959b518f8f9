import type { SavedJob } from '../engine/clock/schedule.js'
import type { Scenario } from '../scenario/scenario.js'
import { plannerOf } from './parts.js'
import type { SimulatorParts } from './simulator-parts.js'

/**
 * Replaces the scenario for new tasks.
 * @param keep whether a reset keeps this scenario
 */
export function replaceScenario(parts: SimulatorParts, scenario: Scenario, keep: boolean): void {
  parts.active.replace(scenario, keep)
  parts.applications.clear()
  applyScenario(parts)
  reportControl(parts, 'scenario', scenario.name)
}

/** Restores the initial state of the parts. The listeners stay. */
export async function resetParts(parts: SimulatorParts): Promise<void> {
  parts.events.emit('reset.begins')
  halt(parts)
  parts.time.clock.restart()
  parts.requests.count = 0
  parts.tasks.clear()
  parts.uploads.loaded?.clear()
  parts.journal.clear()
  parts.counters.clear()
  parts.applications.clear()
  parts.webhooks.receivers.reset()
  parts.registrations.loaded?.clear()
  parts.active.reset()
  applyScenario(parts)
  reportControl(parts, 'reset')
  await parts.time.schedule.catchUp()
}

/** Stops all scheduled work, and releases the parts of the memory budget. */
export function closeParts(parts: SimulatorParts): void {
  halt(parts)
  parts.journal.close()
  parts.tasks.close()
  parts.files.close()
  parts.uploads.loaded?.close()
  parts.webhooks.log.close()
  parts.active.requestPolicy.close()
  parts.time.close()
}

function halt({ time, live, webhooks }: SimulatorParts): void {
  time.halt()
  live.loaded?.clear()
  webhooks.clear()
}

function applyScenario(parts: SimulatorParts): void {
  configureParts(parts)
  fillSoon(parts)
}

/** Configures the parts for the active scenario. */
export function configureParts({ active, tasks, webhooks }: SimulatorParts): void {
  tasks.factory.planner = plannerOf(active.current)
  tasks.limit(active.current.capacity)
  webhooks.configure(active.dispatchRules)
}

/**
 * Starts waiting tasks for which there is room, soon.
 * @param saved the job of another process that would have done so
 */
export function fillSoon(
  { tasks, time: { clock, schedule }, filling }: SimulatorParts,
  saved?: SavedJob,
): void {
  const fill = (at: number) => {
    filling.job = undefined
    tasks.fill(at)
  }
  filling.job = saved ? schedule.restore(saved, fill) : schedule.at(clock.now(), fill)
}

function reportControl(
  { events, time }: SimulatorParts,
  command: 'scenario' | 'reset',
  detail?: string,
): void {
  events.emit('control.used', command, time.clock.now(), undefined, detail)
}
