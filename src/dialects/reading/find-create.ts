import type { Dialect } from '../dialect.js'
import { type CreateForm, createForms } from '../requests/create-form.js'
import { bestMatch, type PathValues, pathOf } from './match-path.js'

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
  const forms = createForms(dialect).filter((form) => form.method === method)
  const found = bestMatch(forms, (form) => [form.path], path)
  return found && { form: found.item, before: path.slice(0, found.start), values: found.values }
}
