import * as v from 'valibot'
import { byName, closed } from './forms.js'
import { optional, text, textLike } from './parts.js'

/** The name of a dialect. */
export const dialectName = textLike(
  /^[a-z][a-z0-9-]{1,30}$/,
  'expected small letters, digits and `-`, such as acme',
)

const settings = closed('DialectSettings', {
  file: optional(text, 'The path of a dialect file, relative to this file, which adds the dialect'),
  secret: optional(text, 'The signing secret of its webhooks. --webhook-secret overrides it'),
  previous_secret: optional(
    text,
    'The secret with which the webhook fault `previous_secret` signs, as during a rotation',
  ),
})

const otherDialect = v.pipe(
  dialectName,
  v.check(
    (name) => name !== 'tasks',
    'the dialect `tasks` has no settings here: set `webhooks.secret` and `webhooks.previous_secret`',
  ),
)

/** The settings of the formats of other services. */
export const dialects = byName(otherDialect, settings)
