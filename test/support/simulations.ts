import { LiveTasks } from '../../src/engine/progress/live-tasks.js'
import type { NewTask } from '../../src/engine/tasks/task-factory.js'
import { createSimulator, type Simulator, type SimulatorOptions, type Task } from '../../src/index.js'

/** Creates a simulator on a manual clock, whose tasks succeed after a second by default. */
export function simulate({ scenario = { defaults: { delay: '1s' } }, ...options }: SimulatorOptions = {}) {
  return createSimulator({ scenario, clock: 'manual', start: 0, ...options })
}

/** Creates a task with the given fields and defaults for the others. */
export async function create(sim: Pick<Simulator, 'tasks'>, fields: Partial<NewTask> = {}): Promise<Task> {
  const task = await sim.tasks.create({
    owner: 'sk_one',
    model: 'acme/image-1',
    input: {},
    webhookUrl: undefined,
    origin: 'http://localhost',
    ...fields,
  })
  if (task === undefined) throw new Error('There was no room for the task')
  return task
}

/** Shows the tasks of a simulator before their end, also those of services that show nothing then. */
export function liveOf(sim: Pick<Simulator, 'live'>): LiveTasks {
  return sim.live.by(LiveTasks)
}
