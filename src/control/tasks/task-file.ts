import { giveFile } from '../../http/files/give-file.js'
import type { Operation } from '../../http/operation.js'
import { Problem } from '../../http/problem.js'

/**
 * Gives an output file to whoever looks at a task. The journal does not see it, so that looking is not taken for a
 * download by the client under test, and no URL is there to expire.
 */
export const readTaskFile: Operation = {
  id: 'sim.tasks.file',
  authenticated: false,
  async run(exchange) {
    const { sim, request, params } = exchange
    const [id = '', place = ''] = params
    const task = await sim.tasks.get(id)
    const file = Number(place)
    const isKept = task !== undefined && sim.outputs.of(task, request.origin, sim.clock.now()) !== undefined
    if (isKept && file < (task.result?.files ?? 0)) return giveFile(exchange, task, file)
    throw new Problem('not_found', 'There is no such file, or it is no longer kept.')
  },
}
