import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Kind } from '../../engine/tasks/task.js'
import type { Dialect } from '../dialect.js'
import type { CreateForm } from '../requests/create-form.js'
import { compileTemplate, type Values } from '../table/template/compile.js'
import { findCreate, type PathValues } from './find-operation.js'

/** A request to a service. */
export interface SeenRequest {
  readonly method: string
  readonly url: URL
  readonly body: JsonObject
  header(name: string): string | undefined
}

/** What a create request ordered. */
export interface SeenOrder {
  readonly model: string | undefined
  readonly kind: Kind | undefined
  readonly input: JsonObject
}

interface Scope extends SeenRequest {
  readonly path: PathValues
}

const VALUES = {
  body: ({ body }) => body,
  header: { find: ({ header }, name) => header(name) },
  query: ({ url }) => Object.fromEntries(url.searchParams),
  path: ({ path }) => path,
  source: { find: () => undefined },
} satisfies Values<Scope>

/** Reads the order of a task in a request; undefined if the request creates no task. */
export function readOrder(dialect: Dialect, request: SeenRequest): SeenOrder | undefined {
  const create = findCreate(dialect, request)
  return create && orderIn(create.form, { ...request, path: create.values })
}

function orderIn(
  { model = '{{body.model}}', input = '{{body}}', kind }: CreateForm,
  scope: Scope,
): SeenOrder {
  const [name, value] = [model, input].map((template): JsonValue | undefined =>
    compileTemplate<Scope>(template, VALUES)(scope),
  )
  return {
    model: typeof name === 'string' ? name : undefined,
    kind,
    input: isJsonObject(value) ? value : {},
  }
}
