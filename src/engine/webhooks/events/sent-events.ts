import type { WebhookFormat } from '../webhook-format.js'
import { TASK_EVENTS, type TaskEvent } from './task-event.js'

/** The events that a service sends. */
export function sentEvents({ nameOf }: Pick<WebhookFormat, 'nameOf'>): readonly TaskEvent[] {
  return TASK_EVENTS.filter((event) => nameOf(event) !== undefined)
}

/**
 * Explains why a service sends no such event. Returns undefined if it does.
 * @param name the name of the event, in any spelling
 * @param dialect the name of the service's wire format
 */
export function flawOfEvent(
  name: string,
  dialect: string,
  format: Pick<WebhookFormat, 'nameOf' | 'eventOf'>,
): string | undefined {
  const event = format.eventOf(name)
  if (event !== undefined && format.nameOf(event) !== undefined) return undefined
  const sent = sentEvents(format)
  const remedy = sent.length === 0 ? 'It sends no webhooks' : `It sends ${sent.join(', ')}`
  return `The dialect ${dialect} does not send ${name}. ${remedy}.`
}
