import * as v from 'valibot'
import {
  closed,
  flag,
  instant,
  list,
  milliseconds,
  name,
  numberFrom,
  oneOf,
  planned,
  text,
  visible,
  webUrl,
} from './leaves.js'
import { tuple } from './own-schemas.js'

const settings = {
  url: webUrl,
  secret: v.optional(name),
  previousSecret: v.optional(name),
  events: v.optional(list(text)),
  retries: v.optional(v.pipe(list(milliseconds), v.maxLength(100, 'at most 100 waits'))),
  timeout: v.optional(numberFrom(1)),
  ordered: v.optional(flag),
}

const registration = closed({
  id: visible,
  owner: text,
  dialect: name,
  name: v.optional(text),
  isEnabled: flag,
  createdAt: instant,
  updatedAt: instant,
  previousUntil: v.optional(planned),
})

const registered = {
  ...settings,
  registration: v.optional(registration),
  isOwn: v.optional(flag),
  off: v.optional(text),
}
const source = oneOf(['scenario', 'option', 'control', 'api'])

/** A receiver of an event, registered or not. */
export const addressee = closed({ ...registered, id: v.optional(visible), source: v.optional(source) })

/** A registered receiver. */
export const registeredReceiver = closed({ ...registered, id: visible, source })

/** A receiver that a client has registered through the API of a service. */
export const clientReceiverRow = closed({
  ...registered,
  id: visible,
  source: v.literal('api', 'the word api'),
  secret: name,
  registration,
})

/** The receivers that no client has registered. */
export const receiversRow = closed({
  added: list(closed(settings)),
  removed: list(text),
  off: list(tuple(text, text)),
  urls: list(text),
})
