import type { Dialect } from '../dialect.js'
import type { CreateOperation, DialectOperation } from '../table/dialect-table.generated.js'
import type { Wanted } from './service-request.js'

/** An operation that creates tasks, and where its request has the URL for webhooks. */
export interface CreateForm
  extends Pick<
    CreateOperation,
    'kind' | 'source' | 'model' | 'input' | 'keep' | 'require' | 'check_input' | 'headers'
  > {
  readonly method: string
  /** With the prefix, in the syntax of OpenAPI. */
  readonly path: string
  readonly webhookUrl: string
}

/**
 * The operation that creates such tasks: the one that has created the task, else the first for its kind.
 * @throws Error if the service creates no tasks
 */
export function createFormOf(dialect: Dialect, { kind, extra }: Pick<Wanted, 'kind' | 'extra'>): CreateForm {
  const forms = createForms(dialect)
  const form =
    forms.find(({ path }) => path === extra?.['path']) ??
    forms.find((form) => form.kind === undefined || form.kind === kind) ??
    forms[0]
  if (form === undefined) throw new Error(`The dialect ${dialect.name} creates no tasks.`)
  return form
}

/** The operations that create tasks, in the order of the table. */
export function createForms({ table }: Dialect): readonly CreateForm[] {
  const { prefix = '', webhook, operations } = table
  return operations
    .filter((operation): operation is DialectOperation & CreateOperation => operation.action === 'create')
    .map((form) => ({ ...form, path: prefix + form.path, webhookUrl: webhook?.url ?? '' }))
}
