import * as v from 'valibot'
import { KIND_NAMES, KINDS } from '../../kinds/built-in-kinds.js'
import { isMapping } from '../mapping.js'
import { anyOf, closed, extensible } from './forms.js'
import { described, oneOf, optional, textLike } from './parts.js'

const kindName = textLike(/^\w[\w-]{0,39}$/, 'expected a name of up to 40 letters, digits, - or _')

/** The name of a kind, built-in or defined under `kinds`. {@link unknownKinds} checks that it exists. */
export const kind = anyOf(
  `expected the name of a kind, such as ${KINDS[0].name}`,
  v.picklist(KIND_NAMES),
  kindName,
)

/**
 * A mapping with a field for each kind, built-in or defined under `kinds`.
 * @param name the name of its type
 * @param fieldOf returns the field of a built-in kind
 */
export function byKind<Value extends v.GenericSchema, Field extends v.GenericSchema>(
  name: string,
  value: Value,
  fieldOf: (kind: (typeof KINDS)[number]) => Field,
) {
  return extensible(name, fieldsByKind(fieldOf), {
    key: kindName,
    value: described(value, 'A kind that the scenario defines under `kinds`'),
    accepts: () => true,
    help: '',
  })
}

/**
 * The kinds: settings of built-in ones, and definitions of others.
 * @param settings the fields of the settings
 */
export function kindSettings<const Fields extends v.ObjectEntries>(settings: Fields) {
  const defined = closed('OwnKind', {
    like: described(
      oneOf(KIND_NAMES),
      'The built-in kind whose order, output and settings the kind inherits',
    ),
    ...settings,
  })
  const builtIn = closed('ModelSettings', settings)
  const fields = fieldsByKind(({ models }) => optional(builtIn, models))
  return extensible('Kinds', fields, {
    key: kindName,
    value: described(defined, 'A kind of your own, which inherits from the built-in kind under `like`'),
    accepts: (value) => isMapping(value) && Object.hasOwn(value, 'like'),
    help: 'to define a kind of your own, add the built-in kind that it resembles, such as `like: tool`',
  })
}

function fieldsByKind<Field>(fieldOf: (kind: (typeof KINDS)[number]) => Field): Record<string, Field> {
  return Object.fromEntries(KINDS.map((kind) => [kind.name, fieldOf(kind)]))
}
