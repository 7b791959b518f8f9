import { STATUSES } from '../../engine/tasks/task.js'
import { limitIn, wordIn } from '../../http/exchange/page-query.js'
import { pageReply } from '../../http/exchange/page-reply.js'
import { evictionHint, invalid } from '../../http/exchange/problem.js'
import type { ListAction } from '../action.js'
import { taskText } from './task-text.js'

const LONGEST_PAGE = 100

/** `GET /tasks`: a page of the caller's own tasks, newest first. */
export const listAction: ListAction = {
  operation: 'tasks.list',
  decode({ request }) {
    const query = new URLSearchParams(request.query)
    return {
      status: wordIn(query, 'status', STATUSES),
      model: query.get('model') ?? undefined,
      after: query.get('after') ?? undefined,
      limit: limitIn(query, LONGEST_PAGE),
    }
  },
  encode: ({ tasks, hasMore }, _query, call) =>
    pageReply({
      items: tasks,
      hasMore,
      textOf: (task) => taskText(call, task),
      cursorOf: ({ id }) => id,
    }),
  unknownCursor: ({ after }, { sim }) =>
    invalid(
      'query parameter',
      'after',
      after,
      "the `next_cursor` of a page that you got, or one of your own tasks' ids",
      evictionHint(sim),
    ),
}
