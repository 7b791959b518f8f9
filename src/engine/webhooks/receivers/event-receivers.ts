import type { Task } from '../../tasks/task.js'
import type { TaskEvent } from '../events/task-event.js'
import type { WebhookFormat } from '../webhook-format.js'
import type { Addressee, Receiver, ReceiverSettings, RegisteredReceiver } from './receiver.js'

/** The origin of an event. */
interface EventOrigin {
  /** The wire format of the task. */
  readonly dialect: string
  /** The API key of the task; undefined for an example, which is sent to the receivers of all keys. */
  readonly owner?: string | undefined
  /** The task's own receivers. */
  readonly own?: readonly string[] | undefined
  /** The task's own receivers, if its request does not ask for the event. */
  readonly declined?: readonly string[] | undefined
  /** Whether the request of the task could name receivers. */
  readonly canName?: boolean | undefined
}

/** What decides who receives the event of a task. */
export type TaskOfEvent = Pick<Task, 'dialect' | 'owner' | 'webhookUrl' | 'extra'>

const NONE: readonly never[] = []

/**
 * The receivers of an event of a task: its own ones if its request asks for the event, and the registered ones. None if
 * its service does not send the event.
 */
export function eventReceivers(
  registered: readonly RegisteredReceiver[],
  event: TaskEvent,
  { dialect, owner, webhookUrl, extra }: TaskOfEvent,
  format: WebhookFormat,
): readonly Addressee[] {
  if (format.nameOf(event, { extra }) === undefined) return NONE
  const isRequested = format.isRequested?.(event, { extra }) ?? true
  const all = format.ownUrls?.({ webhookUrl, extra }) ?? (webhookUrl === undefined ? undefined : [webhookUrl])
  const canName = format.takesUrl({ extra })
  const origin = { dialect, owner, [isRequested ? 'own' : 'declined']: all, canName }
  return receiversOf(registered, event, origin, format)
}

/**
 * The receivers of an event: the registered ones that want it, and the task's own, which replace those that the client
 * has registered if the service does that. A task's own receiver that is also registered gets the event once.
 */
export function receiversOf(
  registered: readonly RegisteredReceiver[],
  event: TaskEvent,
  origin: EventOrigin,
  format: WebhookFormat,
): readonly Addressee[] {
  const { own = NONE, declined = NONE } = origin
  if (registered.length === 0) return own.length === 0 ? NONE : own.map(ownReceiver)
  const isReplaced = format.replacesRegistered === true && own.length > 0
  const concerned = registered.filter(
    (receiver) =>
      isConcerned(receiver, origin) &&
      !(isReplaced && receiver.registration !== undefined) &&
      !(receiver.isOnlyNamed && origin.canName && !own.includes(receiver.url)),
  )
  const wanting = concerned.filter(
    (receiver) =>
      receiver.off === undefined &&
      wants(receiver, event, format) &&
      !own.some((url) => url !== receiver.url && isHandledBy(receiver, url)) &&
      !declined.some((url) => isHandledBy(receiver, url)),
  )
  if (own.length === 0) return wanting
  const named = own.filter((url) => !concerned.some((known) => known.url === url)).map(ownReceiver)
  return [...named, ...wanting]
}

/** A receiver that the request of a task names. */
function ownReceiver(url: string): Addressee {
  return { url, isOwn: true }
}

/** Whether an event is one of a task of the client that registered the receiver. */
function isConcerned({ registration }: Addressee, { dialect, owner }: EventOrigin): boolean {
  if (registration === undefined) return true
  return registration.dialect === dialect && (owner === undefined || registration.owner === owner)
}

function wants({ events }: ReceiverSettings, event: TaskEvent, format: WebhookFormat): boolean {
  return events === undefined || events.some((wanted) => format.eventOf(wanted) === event)
}

/** Whether a receiver is a function that handles a URL, whose query may say which task it is about. */
export function isHandledBy(receiver: Receiver, url: string): boolean {
  if (receiver.transport === undefined) return false
  return receiver.url === url || receiver.url === url.replace(/\?.*/s, '')
}
