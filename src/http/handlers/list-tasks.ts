import type { ListAction, PageQuery } from '../../dialects/action.js'
import type { ServiceOperation } from '../operation.js'

/** Answers with a page of the caller's own tasks, newest first. */
export function listTasks(action: ListAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    async run(exchange) {
      const { sim, key, note, dialect } = exchange
      const query = ofObject(action.decode(exchange), action)
      const page = sim.tasks.list({ ...query, owner: key, dialect: dialect.name })
      if (page === undefined) throw action.unknownCursor(query, exchange)
      const { reply, items, nextCursor } = await action.encode(page, query, exchange)
      Object.assign(note, { observed: items.map(({ id, status }) => ({ id, status })), nextCursor })
      return items.some(({ plan }) => plan.recorded !== undefined)
        ? (await import('./recorded-list.js')).withRecordedItems(reply, items, exchange)
        : reply
    },
  }
}

/** Restricts a query to the tasks that the operation is about. */
function ofObject(query: PageQuery, { owns }: ListAction): PageQuery {
  if (owns === undefined) return query
  return { ...query, matches: (task) => owns(task) && query.matches?.(task) !== false }
}
