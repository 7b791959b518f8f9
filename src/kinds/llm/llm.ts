import { after } from '../../engine/awaitable.js'
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
  produce: (task) =>
    after(loaded ?? load(), ({ reply }) =>
      after(reply(task), ({ output, usage, text }) => ({ result: { files: 0, output }, usage, text })),
    ),
}

let loaded: typeof import('./reply.js') | undefined

async function load(): Promise<typeof import('./reply.js')> {
  loaded = await import('./reply.js')
  return loaded
}
