import type { Task } from '../../tasks/task.js'
import type { TaskEvent } from '../events/task-event.js'
import type { WebhookFormat } from '../webhook-format.js'
import type { Addressee } from './receiver.js'
import type { Receivers } from './receivers.js'

/** The receivers of an event of a task: its own one if its request asks for the event, and the registered ones. */
export function eventReceivers(
  receivers: Receivers,
  event: TaskEvent,
  { dialect, owner, webhookUrl, extra }: Pick<Task, 'dialect' | 'owner' | 'webhookUrl' | 'extra'>,
  format: WebhookFormat,
): readonly Addressee[] {
  const isRequested = format.isRequested?.(event, { extra }) ?? true
  const all = format.ownUrls?.({ webhookUrl, extra }) ?? (webhookUrl === undefined ? undefined : [webhookUrl])
  return receivers.of(event, { dialect, owner, [isRequested ? 'own' : 'declined']: all }, format)
}
