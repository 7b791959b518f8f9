import { isoTime } from '../../../../engine/clock/instants.js'
import type { JsonValue } from '../../../../engine/json.js'
import type { ClientReceiver } from '../../../../engine/webhooks/receivers/registrations.js'
import type { Values } from '../../template/compile.js'

/** A receiver that a client has registered, and everything else that its templates may need. */
export interface ReceiverScope {
  readonly receiver: ClientReceiver
  /** Epoch milliseconds. */
  readonly now: number
  readonly base: string
}

/** The number of characters at the end of a secret that answers may show. */
const SHOWN = 4

/** The values in templates of receivers. docs/reference/dialect.md lists them. */
export const RECEIVER_VALUES = {
  id: ({ receiver }) => receiver.id,
  name: ({ receiver }) => receiver.registration.name,
  url: ({ receiver }) => receiver.url,
  events: ({ receiver }) => receiver.events && [...receiver.events],
  state: ({ receiver }) => stateOf(receiver),
  secret: ({ receiver }) => receiver.secret,
  secret_end: ({ receiver }) => receiver.secret.slice(-SHOWN),
  previous_secret_end: (scope) =>
    isRotated(scope) ? scope.receiver.previousSecret?.slice(-SHOWN) : undefined,
  previous_secret_until: (scope) =>
    isRotated(scope) ? isoTime(scope.receiver.registration.previousUntil) : undefined,
  created_at: ({ receiver }) => isoTime(receiver.registration.createdAt),
  updated_at: ({ receiver }) => isoTime(receiver.registration.updatedAt),
  now: ({ now }) => isoTime(now),
  base: ({ base }) => base,
} satisfies Values<ReceiverScope>

/** A page of the receivers of a key, newest first. */
export interface ReceiverListScope {
  readonly receivers: JsonValue[]
  readonly nextCursor: string | undefined
  readonly base: string
}

/** The values in the template of a list of receivers. */
export const RECEIVER_LIST_VALUES = {
  receivers: ({ receivers }) => receivers,
  count: ({ receivers }) => receivers.length,
  has_more: ({ nextCursor }) => nextCursor !== undefined,
  next_cursor: ({ nextCursor }) => nextCursor,
  base: ({ base }) => base,
} satisfies Values<ReceiverListScope>

/** `failing` if tasksim has switched the receiver off. */
function stateOf({ off, registration }: ClientReceiver): 'on' | 'off' | 'failing' {
  if (!registration.isEnabled) return 'off'
  return off === undefined ? 'on' : 'failing'
}

/** Whether the previous secret is still valid. */
function isRotated({ receiver, now }: ReceiverScope): boolean {
  return now < (receiver.registration.previousUntil ?? 0)
}
