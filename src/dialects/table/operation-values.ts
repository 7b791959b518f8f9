/** The values in the templates of operations that few services have: streams, files, receivers, counts and constants. */
import type { Upload } from '../../engine/assets/upload.js'
import { isoTime } from '../../engine/clock/instants.js'
import type { JsonValue } from '../../engine/json.js'
import type { Status } from '../../engine/tasks/task.js'
import type { ClientReceiver } from '../../engine/webhooks/receivers/registrations.js'
import { TASK_VALUES, type TaskScope } from './tasks/task-values.js'
import type { Values } from './template/compile.js'

/** What an event of a stream tells. */
export interface EventScope extends TaskScope {
  readonly part: JsonValue | undefined
  readonly index: number
  /** The number of events before this one. */
  sequence: number
}

/** The values in the templates of events of a stream. */
export const EVENT_VALUES = {
  ...TASK_VALUES,
  part: ({ part }) => part,
  index: ({ index }) => index,
  sequence: ({ sequence }) => sequence,
} satisfies Values<EventScope>

/** An answer with parts of an output. */
export interface PartsScope extends TaskScope {
  readonly parts: JsonValue[]
}

/** The values in an answer with parts of an output. */
export const PARTS_VALUES = {
  ...TASK_VALUES,
  parts: ({ parts }) => parts,
} satisfies Values<PartsScope>

/** The values in the template of one part. */
export const PART_VALUES = { part: (part) => part } satisfies Values<JsonValue>

/** An uploaded file, and everything else that its templates may need. */
export interface UploadScope {
  readonly upload: Upload
  /** The signed URL, from which the file is served; an announced file is sent there. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The start of all URLs of the service, up to its prefix. */
  readonly base: string
  /** Where an output file is downloaded, which an answer shows in the form of an upload. */
  readonly outputUrl?: string | undefined
}

/** The values in templates of uploads. docs/reference/dialect.md lists them. */
export const UPLOAD_VALUES = {
  id: ({ upload }) => upload.ownId ?? upload.id,
  name: ({ upload }) => upload.name,
  content_type: ({ upload }) => upload.contentType,
  size: ({ upload }) => upload.bytes.length,
  sha256: ({ upload }) => (upload.isComplete ? upload.sha256 : undefined),
  url: ({ url }) => url,
  created_at: ({ upload }) => isoTime(upload.createdAt),
  expires_at: ({ upload }) => isoTime(upload.expiresAt),
  state: ({ upload, now }) => (now < (upload.readyAt ?? Number.POSITIVE_INFINITY) ? 'processing' : 'ready'),
  kept: ({ upload }) => upload.kept,
  output_url: ({ outputUrl }) => outputUrl,
  base: ({ base }) => base,
} satisfies Values<UploadScope>

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

/** `failing` if tasksim has switched the receiver off. */
function stateOf({ off, registration }: ClientReceiver): 'on' | 'off' | 'failing' {
  if (!registration.isEnabled) return 'off'
  return off === undefined ? 'on' : 'failing'
}

/** Whether the previous secret is still valid. */
function isRotated({ receiver, now }: ReceiverScope): boolean {
  return now < (receiver.registration.previousUntil ?? 0)
}

/** A page of the uploads or the receivers of a key, newest first. */
export interface ItemPageScope {
  readonly items: JsonValue[]
  readonly nextCursor: string | undefined
  readonly base: string
}

const ITEM_PAGE_VALUES = {
  count: ({ items }) => items.length,
  has_more: ({ nextCursor }) => nextCursor !== undefined,
  next_cursor: ({ nextCursor }) => nextCursor,
  base: ({ base }) => base,
} satisfies Values<ItemPageScope>

/** The values in the template of a list of uploads. */
export const UPLOAD_LIST_VALUES = {
  uploads: ({ items }) => items,
  ...ITEM_PAGE_VALUES,
} satisfies Values<ItemPageScope>

/** The values in the template of a list of receivers. */
export const RECEIVER_LIST_VALUES = {
  receivers: ({ items }) => items,
  ...ITEM_PAGE_VALUES,
} satisfies Values<ItemPageScope>

/** The number of tasks in each state. */
export type StatusCounts = Readonly<Record<Status, number>>

/** The values in the answer with the numbers of tasks. */
export const COUNT_VALUES = {
  queued: ({ queued }) => queued,
  processing: ({ processing }) => processing,
  succeeded: ({ succeeded }) => succeeded,
  failed: ({ failed }) => failed,
  canceled: ({ canceled }) => canceled,
} satisfies Values<StatusCounts>

/** What the cancellation of queued tasks has done. */
export interface Canceled {
  /** How many tasks were canceled. */
  readonly count: number
}

/** The values in the answer to the cancellation of queued tasks. */
export const CANCELED_VALUES = { count: ({ count }) => count } satisfies Values<Canceled>

/** What an answer may show that does not depend on tasks. */
export interface FixedScope {
  base(): string
  /** The signing secret of webhooks. */
  secret(): string
  /** The parameters in the path. */
  path(): JsonValue
  /** The public key of signatures with Ed25519, in base64url; undefined if no template needs it. */
  readonly publicKey: string | undefined
  /** The public keys of tokens, as JSON Web Keys; undefined if no template needs them. */
  readonly jwks: JsonValue | undefined
}

/** The values in answers that do not depend on tasks. */
export const FIXED_VALUES = {
  base: (scope) => scope.base(),
  secret: (scope) => scope.secret(),
  path: (scope) => scope.path(),
  public_key: ({ publicKey }) => publicKey,
  jwks: ({ jwks }) => jwks,
} satisfies Values<FixedScope>
