import type { ObservedTask } from '../history/observed-task.js'
import { Histories } from './histories.js'
import { learnBehavior } from './learn-behavior.js'
import type { Learned, LearnedBehavior } from './learned.js'
import { learnLimits } from './limits/learn-limits.js'
import { pool, spansOf } from './spans.js'
import type { Traffic } from './traffic/traffic.js'

const LEARNED = ['delay', 'failures', 'price'] as const

/**
 * Learns how a service behaves from the tasks in its history, in any order.
 * @param traffic the requests among which the tasks were found; complete before the first task
 */
export async function learn(tasks: AsyncIterable<ObservedTask>, traffic?: Traffic): Promise<Learned> {
  const histories = new Histories()
  for await (const task of tasks) {
    histories.add(task)
    traffic?.addEnd(task.id, task.endedAt)
  }
  const { limits, starts } = learnLimits(histories.models)
  const spans = new Map(histories.models.map((model) => [model, spansOf(model, starts.get(model))]))
  const models = [...spans].map(([model, own]) => learnBehavior(model.tally, own))
  const kinds = histories.kinds.flatMap((tally) => {
    const own = [...spans].flatMap(([{ kind }, of]) => (kind === tally.kind ? [of] : []))
    const kind = generalBehavior(learnBehavior(tally, pool(own)))
    return models.some((model) => model.kind === kind.kind && needs(model, kind)) ? [kind] : []
  })
  return {
    tasks: models.reduce((sum, { counts }) => sum + counts.all, 0),
    from: histories.from,
    to: histories.to,
    limits,
    traffic: traffic?.learned,
    models,
    kinds,
  }
}

/** Whether a kind shows something that its model does not show. */
function needs(model: LearnedBehavior, kind: LearnedBehavior): boolean {
  return LEARNED.some((field) => model[field] === undefined && kind[field] !== undefined)
}

/** The behavior of a kind, without outputs, and without prices that differ from task to task. */
function generalBehavior(all: LearnedBehavior): LearnedBehavior {
  const kind = { ...all, output: undefined }
  const { price } = kind
  if (price === undefined || (price.rules.length === 0 && !price.isMedian)) return kind
  return { ...kind, price: undefined, gaps: [...kind.gaps, 'price: it differs from task to task'] }
}
