import { expect } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.js'
import type { CreateForm } from '../../src/dialects/requests/create-form.js'
import { exampleOrder } from '../../src/dialects/requests/example-order.js'
import type { ServiceRequest } from '../../src/dialects/requests/service-request.js'
import type { Task } from '../../src/engine/tasks/task.js'
import type { Reply } from '../../src/exchange/exchange.js'
import { answer } from '../../src/hosts/api.js'
import type { Simulator } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'

/** Sends a request to a simulator. */
export async function send(sim: Simulator, { method, url, headers, body }: ServiceRequest): Promise<Reply> {
  const { pathname, search, origin } = new URL(url)
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const request = {
    method,
    path: pathname,
    query: search.slice(1),
    origin,
    header: (name: string) => named.get(name),
    body: async () => new TextEncoder().encode(JSON.stringify(body)),
  }
  return advanceUntilDone(sim, Promise.resolve(answer(sim, request)))
}

/** Sends a create request to a simulator, and returns the new task. */
export async function created(sim: Simulator, request: ServiceRequest): Promise<Task> {
  const { status, body } = await send(sim, request)
  expect(status, String(body)).toBeLessThan(300)
  const page = await sim.tasks.list({ limit: 1 })
  const [task] = page?.tasks ?? []
  if (task === undefined) throw new Error('There is no task')
  return task
}

/** The example of a create operation, with further fields in the input. */
export function orderOf(dialect: Dialect, form: CreateForm, more: object) {
  const order = exampleOrder({ ...dialect, ...(dialect.table && { table: tableWith(dialect.table, form) }) })
  return { ...order, input: { ...order.input, ...more } }
}

function tableWith(table: NonNullable<Dialect['table']>, { path }: CreateForm) {
  const operations = table.operations.filter((operation) => (table.prefix ?? '') + operation.path === path)
  return { ...table, operations }
}
