import type { KindDefinition } from '../kind.js'

/** Models that process their input and return a result of any shape. */
export const tool: KindDefinition<'tool'> = {
  name: 'tool',
  models: 'Tools',
  pollInterval: 1_000,
  example: { model: 'example/tool', input: { prompt: 'a lighthouse at dawn' } },
  produce: () => ({ result: { files: 0, output: { result: { status: 'completed' } } }, usage: {} }),
}
