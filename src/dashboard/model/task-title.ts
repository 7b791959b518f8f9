import type { TaskShape } from '../../control/shapes.js'

/** The words of a task's input that name it. */
export function titleOf({ prompt, messages }: TaskShape['input']): string {
  if (typeof prompt === 'string') return prompt
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const { content } = Object(last) as { content?: unknown }
  return typeof content === 'string' ? content : 'No prompt'
}
