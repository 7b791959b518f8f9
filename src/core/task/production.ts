import type { Usage } from './pricing.js'
import { FILE_MARK, type JsonObject, type JsonValue, type Result, type Task } from './task.js'
import { fillTemplate } from './template.js'

/** What a success made, and what it consumed on the way. */
export interface Production {
  readonly result: Result
  readonly usage: Usage
}

/** The length of a video or audio whose input names none, in seconds. */
const ORDINARY_SECONDS = 5

/** A day; what is asked for beyond it is not billed. */
const LONGEST_SECONDS = 86_400

/** Makes what a task promises; the files themselves are rendered when somebody fetches them. */
export async function produce(task: Task): Promise<Production> {
  const production = await byKind(task)
  const { output } = task.plan
  if (output === undefined) return production
  const filled = fillTemplate(output, task.input) as JsonObject
  return { ...production, result: { files: countMarks(filled), output: filled } }
}

async function byKind(task: Task): Promise<Production> {
  switch (task.kind) {
    case 'image': {
      const images = imagesIn(task.input)
      return { result: { files: images, output: undefined }, usage: { images } }
    }
    case 'video':
    case 'audio':
      return { result: { files: 1, output: undefined }, usage: { seconds: secondsIn(task.input) } }
    case 'tool':
      return { result: { files: 0, output: { result: { status: 'completed' } } }, usage: {} }
    case 'llm': {
      const { reply } = await import('./reply.js')
      const { output, usage } = await reply(task)
      return { result: { files: 0, output }, usage }
    }
  }
}

/** How many images are asked for, by `n` or `num_images`. */
export function imagesIn(input: JsonObject): number {
  const count = input['n'] ?? input['num_images'] ?? 1
  return typeof count === 'number' ? count : 1
}

function secondsIn(input: JsonObject): number {
  const seconds = Number(input['duration'])
  return seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : ORDINARY_SECONDS
}

function countMarks(value: JsonValue): number {
  if (typeof value === 'string') return value === FILE_MARK ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countMarks(inner), 0)
}
