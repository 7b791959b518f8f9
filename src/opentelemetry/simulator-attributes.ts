import type { Attributes, HrTime } from '@opentelemetry/api'
import type { Task } from '../engine/tasks/task.js'
import type { Simulator } from '../simulator/simulator.js'

/** The attributes of every span: they say which clock its times come from. */
export function simulatorAttributes({ clock, identity, partition }: Simulator): Attributes {
  return {
    'tasksim.clock.mode': clock.mode,
    ...(clock.mode === 'real' && { 'tasksim.clock.speed': clock.speed }),
    ...(identity !== undefined && { 'tasksim.sandbox.id': identity.id }),
    ...(partition !== undefined && { 'tasksim.partition': partition }),
  }
}

/** The attributes of a task, without its input and its output. */
export function taskAttributes({ id, model, kind, dialect, plan }: Task): Attributes {
  return {
    'tasksim.task.id': id,
    'tasksim.task.model': model,
    'tasksim.task.kind': kind,
    'tasksim.dialect': dialect,
    ...(plan.rule !== undefined && { 'tasksim.task.rule': plan.rule }),
  }
}

/**
 * An instant of the simulator's clock, for a span.
 * @param at epoch milliseconds. As a number, OpenTelemetry could take it for the time since the start of the process
 */
export function instantOf(at: number): HrTime {
  const seconds = Math.floor(at / 1_000)
  return [seconds, Math.round((at - seconds * 1_000) * 1_000_000)]
}
