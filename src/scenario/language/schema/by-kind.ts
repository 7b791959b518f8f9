import type * as v from 'valibot'
import { type BuiltInKind, KINDS } from '../../../kinds/registry.js'
import { closed } from './forms.js'
import { optional } from './parts.js'

/**
 * A mapping with a field for each kind.
 * @param name the name of its type
 * @param value the schema of each field
 */
export function byKind<Value extends v.GenericSchema>(name: string, value: Value) {
  const fields = KINDS.map((kind) => [kind.name, optional(value, kind.models)])
  return closed(name, Object.fromEntries(fields) as Record<BuiltInKind, ReturnType<typeof optional<Value>>>)
}
