import { closed } from '../../scenario/schema/forms.js'
import { described, integerFrom, oneOf, optional, textLike } from '../../scenario/schema/parts.js'

/** The form of ids. */
export const ids = closed('Ids', {
  prefix: optional(
    textLike(/^[\w-]*$/, 'expected letters, digits, `_` and `-`'),
    'The text before the characters',
  ),
  suffix: optional(
    textLike(/^[\w-]*$/, 'expected letters, digits, `_` and `-`'),
    'The text after the characters',
  ),
  characters: described(
    oneOf(['uuid', 'base62', 'base36', 'hex', 'digits']),
    'The random characters: a UUID, letters and digits, small letters and digits, hexadecimal, or digits',
  ),
  length: optional(integerFrom(8, 64), 'The number of random characters', 24),
})
