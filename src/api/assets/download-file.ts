import { fileTypeOf } from '../../core/asset/asset.js'
import type { Access } from '../../core/asset/outputs.js'
import type { Operation } from '../operation.js'
import { Problem } from '../problem.js'

const REFUSALS: Readonly<Record<Exclude<Access, 'granted'>, Problem>> = {
  tampered: new Problem(
    'forbidden',
    'The signature of this URL is wrong or missing. Use the URL as the task gave it.',
  ),
  expired: new Problem('forbidden', 'This URL has expired. Retrieve the task again for a fresh one.'),
  gone: new Problem(
    'output_expired',
    'This output is no longer kept. Download outputs soon after the task has succeeded.',
  ),
}

/** Gives an output file to whoever has its signed URL. */
export const downloadFile: Operation = {
  id: 'files.download',
  authenticated: false,
  async run(exchange) {
    const { sim, request, params } = exchange
    const [id = '', file = ''] = params
    const task = await sim.tasks.get(id)
    if (task?.result === undefined || Number(file) >= task.result.files) {
      throw new Problem('not_found', 'There is no such file. Use the URL as the task gave it.')
    }
    exchange.taskId = id
    exchange.note.isPart = request.header('range') !== undefined
    const access = sim.outputs.access(task, request.path, new URLSearchParams(request.query), sim.clock.now())
    if (access !== 'granted') throw REFUSALS[access]
    return {
      status: 200,
      headers: { 'content-type': fileTypeOf(task).contentType },
      body: await sim.renderer.render(task, Number(file)),
    }
  },
}
