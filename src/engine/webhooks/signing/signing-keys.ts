import type { Addressee } from '../receivers/receiver.js'
import type { WebhookFormat } from '../webhook-format.js'
import type { SigningKeys } from './sign-attempt.js'

/**
 * The secrets with which a webhook to a receiver is signed. During a rotation there are two, and the previous secret of
 * faults is another one, because a receiver accepts both.
 */
export function signingKeys(receiver: Addressee, format: WebhookFormat, now: number): SigningKeys {
  const { secret = format.secret, previousSecret = format.previousSecret, registration } = receiver
  const isRotated = registration?.previousUntil !== undefined && now < registration.previousUntil
  if (!isRotated) return { format, secret, previousSecret }
  return { format, secret, previousSecret: format.previousSecret, otherSecret: previousSecret }
}
