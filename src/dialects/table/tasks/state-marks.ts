import type { JsonObject } from '../../../engine/json.js'
import type { AnswerShape } from '../../dialect.js'
import type { FieldPath } from '../../has-path.js'
import { leafPaths } from '../../leaf-paths.js'
import type { DialectTable } from '../model/dialect-table.js'
import { GUARD } from '../template/compile.js'

/** A canceled task may look like one that has failed. */
const ENDS = ['succeeded', 'failed', 'canceled', 'processing'] as const

/**
 * The fields of each state that has some. Fields within mappings tell a success from variants of other states; without
 * them, the fields of the task decide, since a service may leave out some of the others.
 */
export function marksOf(statuses: DialectTable['statuses']): AnswerShape['marks'] {
  const { succeeded } = statuses
  const variants = ENDS.flatMap((status) =>
    (statuses[status].variants ?? []).map(({ fields }) => ({ status, paths: pathsIn(fields) })),
  )
  const usual = ENDS.map((status) => ({
    status,
    paths: Object.keys(statuses[status].fields ?? {}).map((field) => [field]),
  }))
  return [{ status: 'succeeded', paths: pathsIn(succeeded.fields) } as const, ...variants, ...usual].filter(
    ({ paths }) => paths.length > 0,
  )
}

function pathsIn(fields: JsonObject = {}): readonly FieldPath[] {
  return leafPaths(fields, (mapping) => Object.hasOwn(mapping, GUARD))
}
