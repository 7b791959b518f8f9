import { excerptOf } from '../../engine/excerpt.js'
import { mask } from '../../engine/mask.js'
import { KINDS, STATUSES, type Task } from '../../engine/tasks/task.js'
import type { Operation } from '../../http/operation.js'
import { limitIn, MOST_LISTED, wordIn } from '../../http/page-query.js'
import { pageReply } from '../../http/page-reply.js'
import { evictionHint, invalid } from '../../http/problem.js'
import { queryOf } from '../own-fields.js'
import { briefShape } from './brief-shape.js'
import { taskShape } from './task-shape.js'

const QUERY = ['status', 'model', 'kind', 'key', 'text', 'brief', 'limit', 'after']

/** Gives a page of the tasks of all API keys, newest first. */
export const listAllTasks: Operation = {
  id: 'sim.tasks.list',
  authenticated: false,
  async run(exchange) {
    const { sim, request } = exchange
    const query = queryOf(exchange, QUERY)
    const after = query.get('after') ?? undefined
    const isBrief = wordIn(query, 'brief', ['true', 'false']) === 'true'
    const page = await sim.tasks.list({
      status: wordIn(query, 'status', STATUSES),
      model: query.get('model') ?? undefined,
      after,
      limit: limitIn(query, MOST_LISTED),
      matches: matcher(query),
    })
    if (page === undefined)
      throw invalid(
        'query parameter',
        'after',
        after,
        'the `next_cursor` of a page that you got',
        evictionHint(sim),
      )
    const shapeOf = (task: Task) =>
      isBrief ? briefShape(task, sim.tasks.isHeld(task.id)) : taskShape(task, sim, request.origin)
    const { reply } = await pageReply({
      items: page.tasks,
      hasMore: page.hasMore,
      textOf: (task) => JSON.stringify(shapeOf(task)),
      cursorOf: ({ id }) => id,
    })
    return reply
  },
}

/** Longer texts are not searched to their end. */
const SEARCHED = 10_000

function matcher(query: URLSearchParams): ((task: Task) => boolean) | undefined {
  const kind = wordIn(query, 'kind', KINDS)
  const key = query.get('key')
  const text = query.get('text')?.toLowerCase()
  if ((kind ?? key ?? text) === undefined || (kind === undefined && key === null && !text)) return undefined
  return (task) => {
    if (kind !== undefined && task.kind !== kind) return false
    if (key !== null && task.owner !== key && mask(task.owner) !== key) return false
    return !text || searched(task).includes(text)
  }
}

function searched({ id, model, input, error }: Task): string {
  return `${id} ${model} ${excerptOf(input, SEARCHED)} ${error?.code ?? ''}`.toLowerCase()
}
