import * as v from 'valibot'
import { integerFrom, numberFrom, optional } from '../../schema/parts.js'
import { template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'

/** The status of an answer. */
export const status = optional(integerFrom(200, 299), 'The status of the answer')

/** The answer about a task. */
export const answer = optional(template(PLACES.answer), 'The body of the answer. The default is the task')

/** The answer about an upload. */
export const uploadAnswer = optional(
  template(PLACES.upload),
  'The body of the answer. The default is the upload',
)

/** A number of milliseconds. */
export const milliseconds = v.union(
  [textTemplate(PLACES.request), numberFrom(0, 300_000)],
  'expected a number of milliseconds, or a placeholder',
)

/** How long to hold an answer. */
export const wait = optional(
  milliseconds,
  'How many milliseconds to hold the answer until the task has ended',
)
