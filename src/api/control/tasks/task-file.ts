import { fileTypeOf } from '../../../core/asset/asset.js'
import type { Operation } from '../../operation.js'
import { Problem } from '../../problem.js'

/**
 * Gives an output file to whoever looks at a task. The journal does not see it, so that looking is not taken for a
 * download by the client under test, and no URL is there to expire.
 */
export const readTaskFile: Operation = {
  id: 'sim.tasks.file',
  authenticated: false,
  async run({ sim, request, params: [id = '', place = ''] }) {
    const task = await sim.tasks.get(id)
    const file = Number(place)
    const isKept = task !== undefined && sim.outputs.of(task, request.origin, sim.clock.now()) !== undefined
    if (!isKept || file >= (task.result?.files ?? 0))
      throw new Problem('not_found', 'There is no such file, or it is no longer kept.')
    return {
      status: 200,
      headers: {
        'content-type': fileTypeOf(task).contentType,
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      },
      body: await sim.renderer.render(task, file),
    }
  },
}
