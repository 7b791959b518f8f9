import { STATUSES } from '../../engine/tasks/task.js'
import type { Operation } from '../operation.js'
import { limitIn, wordIn } from '../exchange/page-query.js'
import { pageReply } from '../exchange/page-reply.js'
import { evictionHint, invalid } from '../exchange/problem.js'
import { taskText } from './task-body.js'

const LONGEST_PAGE = 100

/** Answers with a page of the caller's own tasks, newest first. */
export const listTasks: Operation = {
  id: 'tasks.list',
  authenticated: true,
  async run(exchange) {
    const { sim, request, key } = exchange
    const query = new URLSearchParams(request.query)
    const after = query.get('after') ?? undefined
    const page = await sim.tasks.list({
      owner: key,
      status: wordIn(query, 'status', STATUSES),
      model: query.get('model') ?? undefined,
      after,
      limit: limitIn(query, LONGEST_PAGE),
    })
    if (page === undefined)
      throw invalid(
        'query parameter',
        'after',
        after,
        "the `next_cursor` of a page that you got, or one of your own tasks' ids",
        evictionHint(sim),
      )
    const { reply, items, nextCursor } = await pageReply({
      items: page.tasks,
      hasMore: page.hasMore,
      textOf: (task) => taskText(exchange, task),
      cursorOf: ({ id }) => id,
    })
    Object.assign(exchange.note, { observed: items.map(({ id, status }) => ({ id, status })), nextCursor })
    return reply
  },
}
