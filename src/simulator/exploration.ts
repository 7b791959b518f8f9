import { MAIN_DIALECT } from '../dialects/built-in.js'
import { taskFields } from '../dialects/table/task-fields.js'
import { tableOfTask } from '../dialects/table/tasks/objects.js'
import { Exploration } from '../engine/exploration/exploration.js'
import type { PlaceTraits, ReadTraits } from '../engine/exploration/place-traits.js'
import type { Task } from '../engine/tasks/task.js'
import { isSigned } from '../engine/webhooks/webhook-format.js'
import type { SimulatorParts } from './simulator-parts.js'

/**
 * Reads what a service and the scenario decide about the deviations of a place.
 * @param taskId the task at the place, if it has one
 */
function placeTraits(parts: SimulatorParts, name: string, taskId: string | undefined): PlaceTraits {
  const task = taskId === undefined ? undefined : parts.tasks.get(taskId)
  // The path of a file belongs to no service.
  const service = task?.dialect ?? name
  const { answers, table } = parts.dialects.get(service) ?? MAIN_DIALECT
  const format = parts.webhooks.formatOf(service)
  const { outputs, results, optional } = taskFields(task === undefined ? table : tableOfTask(table, task))
  const hidesOutput = answers.hidesOutput === true
  return {
    statusField: answers.marks === undefined ? answers.status : undefined,
    outputFields: hidesOutput ? results : outputs,
    showsOutput: hidesOutput ? 'tasks.result' : 'tasks.retrieve',
    optionalFields: optional,
    // An operation of the service itself gives a file at the same URL at any time.
    renewsUrls: parts.outputs.renews(service) && !table.operations.some(({ action }) => action === 'file'),
    isSigned: isSigned(format),
    signsTime: format.signsTime,
    retry: format.retriesOf('task.succeeded')[0],
    ...(task !== undefined && traitsOfTask(parts, task)),
  }
}

function traitsOfTask(parts: SimulatorParts, task: Task) {
  const { outcome, queueing, end } = task.plan
  const duration = 'after' in end ? queueing + end.after : undefined
  return { outcome, duration, files: filesOf(task), errors: errorsOf(parts, task) }
}

/** An output of the scenario has files of its own. */
function filesOf({ media, plan }: Task): number | undefined {
  if (plan.output !== undefined || (media?.kind !== 'image' && media?.kind !== 'video')) return undefined
  return media.count ?? 1
}

function errorsOf({ tasks }: SimulatorParts, { model, kind, dialect, owner, input }: Task) {
  const order = { model, kind, dialect, key: owner, input, occurrence: 1 }
  return tasks.factory.planner.failuresOf(order).errors?.map(({ code, message }) => ({ code, message }))
}

/** What a run of an exploration consists of. */
export type RunOfExploration = Omit<ConstructorParameters<typeof Exploration>[0], 'clock' | 'traitsOf'>

/** Begins a run: names the places that the client reaches from now on, and applies deviations there. */
export function beginRun(parts: SimulatorParts, run: RunOfExploration): Exploration {
  const traitsOf: ReadTraits = (dialect, taskId) => placeTraits(parts, dialect, taskId)
  const exploration = new Exploration({ clock: parts.time.clock, traitsOf, ...run })
  parts.exploring.current = exploration
  return exploration
}
