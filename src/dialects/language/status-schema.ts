import * as v from 'valibot'
import { anyOf, byName, closed, converted } from '../../scenario/schema/forms.js'
import { described, integerFrom, oneOf, optional, text, textLike } from '../../scenario/schema/parts.js'
import { CONTEXTS, mappingTemplate, textTemplate } from './template-check.js'

const statusFields = {
  word: described(text, "The service's word for the state"),
  by_error: optional(byName(text, text), 'Other words, by the code of the error of the task'),
  fields: optional(mappingTemplate(CONTEXTS.task), 'The fields that a task has in this state only'),
}

const variant = closed('StatusVariant', {
  if: described(
    textTemplate(CONTEXTS.task),
    'The condition: a value that is neither missing nor null nor false',
  ),
  word: described(text, "The service's word for the state"),
  fields: optional(
    mappingTemplate(CONTEXTS.task),
    'The fields that such a task has besides those of the state',
  ),
  event: optional(text, 'The name of its webhook. The default is that of the state'),
})

const endedFields = {
  variants: optional(v.array(variant), 'Other forms of such a task. The first whose condition holds applies'),
}

const failedFields = {
  ...endedFields,
  codes: optional(
    byName(text, text),
    'The codes of the service for {{error.code}}, by the codes of scenarios',
  ),
}

const STATUS_FORM = 'expected a word, or a mapping with a `word`'

/** The form of a state: a word, or a mapping. */
const statusOf = <const Fields extends v.ObjectEntries>(typeName: string, fields: Fields) =>
  v.pipe(
    anyOf(STATUS_FORM, text, closed(typeName, { ...statusFields, ...fields })),
    v.transform((form) => (typeof form === 'string' ? { word: form } : form)),
  )

const queuedFields = { behind: optional(text, 'The word while other tasks wait before the task') }
const ended = statusOf('EndedForm', endedFields)

/** The form of any state in a table: it has the fields of all states. */
const form = closed('StatusForm', { ...statusFields, ...queuedFields, ...failedFields })

const table = closed('Statuses', {
  queued: form,
  processing: form,
  succeeded: form,
  failed: form,
  canceled: form,
})

/** The words and fields of the states. */
export const statuses = v.pipe(
  closed('Statuses', {
    queued: described(statusOf('QueuedForm', queuedFields), 'The task waits for capacity'),
    processing: described(statusOf('StatusForm', {}), 'The task runs'),
    succeeded: described(ended, 'The task has an output'),
    failed: described(statusOf('FailedForm', failedFields), 'The task has an error'),
    canceled: described(ended, 'The task was canceled'),
  }),
  converted(table, (given) => given),
)

/** The form of ids. */
export const ids = closed('Ids', {
  prefix: optional(
    textLike(/^[\w.:/-]*$/, 'expected letters, digits and the characters `_`, `-`, `.`, `:` and `/`'),
    'The text before the characters',
  ),
  suffix: optional(
    textLike(/^[\w.:/-]*$/, 'expected letters, digits and the characters `_`, `-`, `.`, `:` and `/`'),
    'The text after the characters',
  ),
  characters: described(
    oneOf(['uuid', 'base62', 'base36', 'hex', 'digits']),
    'The random characters: a UUID, letters and digits, small letters and digits, hexadecimal, or digits',
  ),
  length: optional(integerFrom(8, 64), 'The number of random characters', 24),
})
