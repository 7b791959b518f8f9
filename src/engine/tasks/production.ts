import type { MediaSpec } from '../assets/media-spec.js'
import { type Awaitable, after } from '../awaitable.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Ending } from './lifecycle.js'
import { DEFAULT_TASK_ERROR } from './planner.js'
import { costOf, type Usage } from './pricing.js'
import { FILE_MARK, type Result, type Task } from './task.js'
import { fillTemplate } from './template.js'

/** The result of a successful task and its consumption. */
export interface Production {
  readonly result: Result
  readonly usage: Usage
}

/**
 * The planned ending of a task. A task whose result cannot be produced fails.
 * @param report receives the reason why the result cannot be produced
 */
export async function endingOf(task: Task, report: (problem: unknown) => void): Promise<Ending> {
  const { outcome, price, error = DEFAULT_TASK_ERROR } = task.plan
  if (outcome === 'failed') return { status: 'failed', error }
  if (outcome === 'canceled') return { status: 'canceled' }
  try {
    const { result, usage } = await produce(task)
    return { status: 'succeeded', result, cost: costOf(price, usage) }
  } catch (problem) {
    report(problem)
    return { status: 'failed', error: DEFAULT_TASK_ERROR }
  }
}

/** Produces the result of a task. Its files are rendered on their first download. */
export function produce(task: Task): Awaitable<Production> {
  const { output } = task.plan
  if (output === undefined) return defaultProduction(task)
  return after(defaultProduction(task), (production) => {
    const filled = fillTemplate(output, task.input) as JsonObject
    return { ...production, result: { files: countMarks(filled), output: filled } }
  })
}

function defaultProduction(task: Task): Awaitable<Production> {
  const { kind, media } = task
  if (media !== undefined) return productionOf(media)
  if (kind === 'llm') return llmProduction(task)
  return { result: { files: 0, output: { result: { status: 'completed' } } }, usage: {} }
}

async function llmProduction(task: Task): Promise<Production> {
  const { reply } = await import('./reply.js')
  const { output, usage } = await reply(task)
  return { result: { files: 0, output }, usage }
}

function productionOf(media: MediaSpec): Production {
  return media.kind === 'image'
    ? { result: { files: media.count, output: undefined }, usage: { images: media.count } }
    : { result: { files: 1, output: undefined }, usage: { seconds: media.seconds } }
}

function countMarks(value: JsonValue): number {
  if (typeof value === 'string') return value === FILE_MARK ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countMarks(inner), 0)
}
