import { STATUSES, type Status } from '../../core/task/task.js'
import type { Operation } from '../operation.js'
import { invalid } from '../problem.js'
import { json } from '../reply.js'
import { taskBody } from './task-body.js'

const ORDINARY_LIMIT = 20
const MOST = 100

/** Gives a page of the caller's own tasks, newest first. */
export const listTasks: Operation = {
  id: 'tasks.list',
  authenticated: true,
  async run(exchange) {
    const { sim, request, key } = exchange
    const query = new URLSearchParams(request.query)
    const after = query.get('after') ?? undefined
    const page = await sim.tasks.list({
      owner: key,
      status: statusIn(query),
      model: query.get('model') ?? undefined,
      after,
      limit: limitIn(query),
    })
    if (page === undefined)
      throw invalid(
        'query parameter',
        'after',
        after,
        "the `next_cursor` of a page that you got, or one of your own tasks' ids",
      )
    const nextCursor = page.hasMore ? page.tasks.at(-1)?.id : undefined
    Object.assign(exchange.note, {
      shown: page.tasks.map(({ id, status }) => ({ id, status })),
      nextCursor,
    })
    return json(200, {
      data: page.tasks.map((task) => taskBody(exchange, task)),
      has_more: page.hasMore,
      next_cursor: nextCursor ?? null,
    })
  },
}

function statusIn(query: URLSearchParams): Status | undefined {
  const status = query.get('status')
  if (status === null || STATUSES.includes(status as Status)) return (status as Status | null) ?? undefined
  throw invalid('query parameter', 'status', status, `one of ${STATUSES.join(', ')}`)
}

function limitIn(query: URLSearchParams): number {
  const limit = query.get('limit')
  if (limit === null) return ORDINARY_LIMIT
  if (/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MOST) return Number(limit)
  throw invalid('query parameter', 'limit', limit, `a whole number from 1 to ${MOST}`)
}
