import type { JsonObject, JsonValue } from '../../../core/json.js'
import type { Task } from '../../../core/task/task.js'
import type { TaskBriefShape } from '../shapes.js'
import { commonFields } from './common-fields.js'

const MOST_CHARACTERS = 200

/** As much of a task as one line of a list shows, whatever its input weighs. */
export function briefShape(task: Task, held: boolean): TaskBriefShape {
  return {
    ...commonFields(task),
    prompt: promptOf(task.input).slice(0, MOST_CHARACTERS),
    error: task.error?.code,
    held,
  }
}

/** What was asked for: the prompt, what was said last, or else the first text in the input. */
function promptOf(input: JsonObject): string {
  const { prompt, messages } = input
  if (typeof prompt === 'string') return prompt
  const said = Array.isArray(messages) ? textOf(messages.at(-1)) : undefined
  return said ?? Object.values(input).find((value) => typeof value === 'string') ?? ''
}

/** The text of a message, whose content is a text or a list of parts. */
function textOf(message: JsonValue | undefined): string | undefined {
  const { content } = Object(message) as { content?: unknown }
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content
    .map((part) => (Object(part) as { text?: unknown }).text)
    .find((text) => typeof text === 'string')
}
