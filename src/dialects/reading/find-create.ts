import type { Dialect } from '../dialect.js'
import { type CreateForm, createForms } from '../requests/create-form.js'
import { findPath, type PathValues, pathOf } from './match-path.js'

/** The operation of a request that creates a task. */
export interface FoundCreate {
  readonly form: CreateForm
  /** The start of the path of the request, which is that of a proxy. */
  readonly before: string
  /** The values of the parameters in the path, decoded. */
  readonly values: PathValues
}

/** Finds the operation of a request; undefined if the request creates no task. */
export function findCreate(
  dialect: Dialect,
  { method, url }: { readonly method: string; readonly url: URL },
): FoundCreate | undefined {
  const path = pathOf(dialect.hosts, url)
  const matches = createForms(dialect).flatMap((form) => {
    const found = form.method === method ? findPath(form.path, path) : undefined
    return found === undefined ? [] : [{ form, before: path.slice(0, found.start), values: found.values }]
  })
  return matches.sort((one, other) => constantsIn(other.form.path) - constantsIn(one.form.path))[0]
}

/**
 * The number of constant segments. `/v1/models/{owner}/{name}/predictions` also ends with `/predictions`, and
 * `/workflows/{owner}/{app}` is no `/{owner}/{app}/{path...}`.
 */
function constantsIn(path: string): number {
  return path.split('/').filter((segment) => !segment.startsWith('{')).length
}
