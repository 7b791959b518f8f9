import type { NewTask } from '../../src/engine/tasks/task-factory.js'
import { type Client, IMAGE } from './hosts.js'

/**
 * Creates a task without the API, so that no fault and no limit applies.
 * @returns its path
 */
export async function taskPath({ sim, origin }: Client, fields: Partial<NewTask> = {}): Promise<string> {
  const order = { owner: 'sk_live_local', ...IMAGE, webhookUrl: undefined, origin, ...fields }
  return `/api/v1/tasks/${(await sim.tasks.create(order)).id}`
}

/** Returns the statuses of a number of consecutive answers. */
export async function statuses(
  times: number,
  ask: (time: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const answered: number[] = []
  for (let time = 1; time <= times; time++) answered.push((await ask(time)).status)
  return answered
}
