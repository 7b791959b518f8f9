import { OBSERVABLE } from '../engine/observation.js'
import type { Reply } from '../http/exchange.js'
import { readJsonObject } from '../http/json-body.js'
import type { Operation } from '../http/operation.js'
import { invalid } from '../http/problem.js'
import { checkFields, nameIn } from './own-fields.js'

/** Records an observation of a test that cannot be made from outside its client. */
export const observe: Operation = {
  id: 'sim.observations.add',
  authenticated: false,
  async run(exchange): Promise<Reply> {
    const body = await readJsonObject(exchange)
    checkFields(body, ['what', 'task_id', 'by', 'as'])
    const { what, task_id: taskId, by, as } = body
    const known = OBSERVABLE.find((word) => word === what)
    if (known === undefined) throw invalid('field', 'what', what, `one of ${OBSERVABLE.join(', ')}`)
    if (as !== undefined && as !== 'url' && as !== 'file') throw invalid('field', 'as', as, '`url` or `file`')
    exchange.sim.observe(known, {
      taskId: nameIn('task_id', taskId),
      by: by === undefined ? undefined : nameIn('by', by),
      as,
    })
    return { status: 204, headers: {}, body: undefined }
  },
}
