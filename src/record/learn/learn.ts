import type { ObservedTask } from '../history/observed-task.js'
import { Histories } from './histories.js'
import { learnBehavior } from './learn-behavior.js'
import type { Learned } from './learned.js'

/** Learns how a service behaves from the tasks in its history, in any order. */
export async function learn(tasks: AsyncIterable<ObservedTask>): Promise<Learned> {
  const histories = new Histories()
  for await (const task of tasks) histories.add(task)
  const models = histories.models.map(learnBehavior)
  const incomplete = new Set(models.filter(({ gaps }) => gaps.length > 0).map(({ kind }) => kind))
  return {
    tasks: models.reduce((sum, { counts }) => sum + counts.all, 0),
    from: histories.from,
    to: histories.to,
    models,
    kinds: histories.kinds.filter(({ kind }) => incomplete.has(kind)).map(learnBehavior),
  }
}
