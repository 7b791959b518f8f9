import { KINDS, STATUSES, type Task } from '../../../core/task/task.js'
import { mask } from '../../authenticate.js'
import { perhapsForgotten } from '../../forgotten.js'
import type { Operation } from '../../operation.js'
import { limitIn, MOST_LISTED, wordIn } from '../../page-query.js'
import { invalid } from '../../problem.js'
import { json } from '../../reply.js'
import { briefShape } from './brief-shape.js'
import { taskShape } from './task-shape.js'

/** Gives a page of the tasks of all API keys, newest first. */
export const listAllTasks: Operation = {
  id: 'sim.tasks.list',
  authenticated: false,
  async run({ sim, request }) {
    const query = new URLSearchParams(request.query)
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
        perhapsForgotten(sim),
      )
    return json(200, {
      data: page.tasks.map((task) =>
        isBrief ? briefShape(task, sim.tasks.isHeld(task.id)) : taskShape(task, sim, request.origin),
      ),
      has_more: page.hasMore,
      next_cursor: page.hasMore ? page.tasks.at(-1)?.id : null,
    })
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
  return `${id} ${model} ${JSON.stringify(input).slice(0, SEARCHED)} ${error?.code ?? ''}`.toLowerCase()
}
