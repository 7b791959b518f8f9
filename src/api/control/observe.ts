import { OBSERVABLE } from '../../core/findings/observation.js'
import type { Reply } from '../exchange.js'
import { readJsonObject } from '../json-body.js'
import type { Operation } from '../operation.js'
import { invalid } from '../problem.js'

const LONGEST_NAME = 200
const NAME = `a string of 1 to ${LONGEST_NAME} characters`

/** Takes down what a test tells of its client, because it cannot be seen from outside. */
export const observe: Operation = {
  id: 'sim.observations.add',
  authenticated: false,
  async run(exchange): Promise<Reply> {
    const { what, task_id: taskId, by, as } = await readJsonObject(exchange)
    const known = OBSERVABLE.find((word) => word === what)
    if (known === undefined) throw invalid('field', 'what', what, `one of ${OBSERVABLE.join(', ')}`)
    if (!isName(taskId)) throw invalid('field', 'task_id', taskId, NAME)
    if (by !== undefined && !isName(by)) throw invalid('field', 'by', by, NAME)
    if (as !== undefined && as !== 'url' && as !== 'file') throw invalid('field', 'as', as, '`url` or `file`')
    exchange.sim.observe(known, { taskId, by, as })
    return { status: 204, headers: {}, body: undefined }
  },
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME
}
