import * as v from 'valibot'
import { closed } from '../../scenario/schema/forms.js'
import {
  checkFields,
  described,
  integerFrom,
  nonEmptyList,
  optional,
  text,
  textLike,
} from '../../scenario/schema/parts.js'

const DAY_FORM = 'expected a day, such as 2026-09-24'

const day = v.pipe(
  textLike(/^\d{4}-\d\d-\d\d$/, DAY_FORM),
  v.check((given) => new Date(`${given}T00:00:00Z`).toJSON()?.startsWith(given) === true, DAY_FORM),
)

const url = textLike(/^https?:\/\/\S+$/, 'expected a URL, such as https://docs.example.com/changelog')

/** When, and against what, a file was compared with its service. */
export const checked = closed('DialectCheck', {
  on: described(day, 'The day, such as 2026-11-26'),
  client: optional(text, 'The official client and its version, such as `acme-sdk 2.1.0`'),
  document: optional(url, 'The URL of the description of the service'),
})

const endedApi = v.pipe(
  closed('EndedApi', {
    paths: optional(
      nonEmptyList(text),
      'The paths of its operations, as in `operations`; each also stands for the paths below it',
    ),
    models: optional(
      nonEmptyList(text),
      'Its models, or patterns in which * stands for any characters. With `paths`, on these paths only',
    ),
    on: described(day, 'The day from which the service rejects its requests'),
    replaced_by: optional(text, 'What the service offers in its place'),
    still_served_by: optional(text, 'Others who serve the same format'),
    source: optional(url, 'The URL of a page that says so'),
    status: optional(integerFrom(200, 599), 'The status with which the service rejects requests', 404),
    code: optional(text, 'The code in the words of the service, for `{{own_code}}` in `error`'),
    message: optional(text, 'The message of the rejection'),
  }),
  checkFields(({ paths, models }) =>
    paths === undefined && models === undefined ? 'nothing has ended; add `paths` or `models`' : undefined,
  ),
)

/** The parts of a service that have ended, or will. */
export const ended = nonEmptyList(endedApi)
