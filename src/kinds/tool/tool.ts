import { FILE_MARK } from '../../engine/tasks/task.js'
import type { KindDefinition } from '../kind.js'

/** Models that process their input and return a result of any shape. */
export const tool: KindDefinition<'tool'> = {
  name: 'tool',
  models: 'Tools',
  pollInterval: 1_000,
  example: { model: 'example/tool', input: { prompt: 'a lighthouse at dawn' } },
  produce({ kind, plan }) {
    // A kind that a scenario defines with files consists of them, as an image or a video does.
    if (kind !== 'tool' && plan.files !== undefined)
      return { result: { files: 1, output: { [kind]: FILE_MARK } }, usage: {} }
    return { result: { files: 0, output: { result: { status: 'completed' } } }, usage: {} }
  },
}
