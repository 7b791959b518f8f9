import type { ReceiverSettings } from '../../engine/webhooks/receivers.js'
import { checkValue } from './check/check.js'
import { formatPath } from './check/mistake.js'
import { receiverSettings } from './layers/complete.js'
import { receiver } from './schema/webhook.js'

/** Reads a receiver as a scenario writes it in full, or says what is wrong with it first. */
export function readReceiver(
  value: unknown,
): { receiver: ReceiverSettings } | { flaw: { path: string; message: string } } {
  const result = checkValue(receiver, value)
  if ('value' in result) return { receiver: receiverSettings(result.value) }
  const [flaw] = result.flaws
  return { flaw: { path: formatPath(flaw?.path ?? []), message: flaw?.message ?? '' } }
}
