import type { Scenario } from './scenario/model/scenario.js'
import { plannerOf, type SimulatorParts } from './simulator-parts.js'

/**
 * Replaces the scenario for new tasks.
 * @param keep whether a reset keeps this scenario
 */
export function replaceScenario(parts: SimulatorParts, scenario: Scenario, keep: boolean): void {
  parts.active.replace(scenario, keep)
  applyScenario(parts)
  reportControl(parts, 'scenario')
}

/** Restores the initial state of the parts. The listeners stay. */
export async function resetParts(parts: SimulatorParts): Promise<void> {
  parts.events.emit('reset.begins')
  halt(parts)
  parts.time.clock.restart()
  // The scenario changes at once, so that a task that is created before `cleared` resolves uses the initial scenario.
  const cleared = parts.tasks.clear()
  parts.uploads.loaded?.clear()
  parts.journal.clear()
  parts.counters.clear()
  parts.webhooks.receivers.reset()
  parts.registrations.loaded?.clear()
  parts.active.reset()
  applyScenario(parts)
  reportControl(parts, 'reset')
  await cleared
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
  parts.time.clock.setSpeed(0)
}

function halt({ time, live, webhooks }: SimulatorParts): void {
  time.halt()
  live.loaded?.clear()
  webhooks.clear()
}

/** Configures the parts for the active scenario. */
function applyScenario({ active, capacity, tasks, time, webhooks }: SimulatorParts): void {
  tasks.planner = plannerOf(active.current)
  capacity.configure(active.current.capacity)
  time.schedule.at(time.clock.now(), (at) => tasks.fill(at))
  webhooks.configure(active.dispatchRules)
}

function reportControl({ events, time }: SimulatorParts, command: 'scenario' | 'reset'): void {
  events.emit('control.used', command, time.clock.now())
}
