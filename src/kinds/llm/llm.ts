import type { KindDefinition } from '../kind.js'
import { checkLlmInput } from './check-llm-input.js'

/** Language models. The code that writes replies is loaded on first use. */
export const llm: KindDefinition<'llm'> = {
  name: 'llm',
  models: 'LLMs',
  pollInterval: 1_000,
  example: {
    model: 'example/chat',
    input: { messages: [{ role: 'user', content: 'Write a function that adds two numbers.' }] },
  },
  recognizes: (input) => Object.hasOwn(input, 'messages'),
  check: checkLlmInput,
  async produce(task) {
    const { reply } = await import('./reply.js')
    const { output, usage, text } = await reply(task)
    return { result: { files: 0, output }, usage, text }
  },
}
