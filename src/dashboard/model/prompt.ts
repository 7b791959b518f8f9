import type { TaskShape } from '../../control/shapes.js'

type Input = TaskShape['input']

/** The text of an input: its prompt, or its last message. */
export function promptIn(input: Input = {}): string {
  const { prompt, messages } = input
  if (typeof prompt === 'string') return prompt
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  const { content }: { content?: unknown } = Object(last)
  return typeof content === 'string' ? content : ''
}

/** The words of a task's input that name it. */
export function titleOf(input: Input): string {
  return promptIn(input) || 'No prompt'
}
