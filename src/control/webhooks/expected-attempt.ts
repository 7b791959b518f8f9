import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { signAttempt } from '../../engine/webhooks/signing/sign-attempt.js'
import { signingKeys } from '../../engine/webhooks/signing/signing-keys.js'
import type { Simulator } from '../../simulator.js'
import type { AttemptShape, DeliveryShape } from '../shapes.js'
import { deliveryShape } from './delivery-shape.js'

const decoder = new TextDecoder()

/** A delivery that also shows what its attempts would have been without a webhook fault. */
export async function withExpected(delivery: Delivery, sim: Simulator): Promise<DeliveryShape> {
  const shape = deliveryShape(delivery)
  if (delivery.rule === undefined || sim.mirrored !== undefined) return shape
  const expected = await Promise.all(delivery.attempts.map((attempt) => expectedOf(attempt, delivery, sim)))
  return { ...shape, attempts: shape.attempts.map((each, index) => ({ ...each, expected: expected[index] })) }
}

async function expectedOf(
  { startedAt, flaw, sent }: Attempt,
  { id, url, isOwn, payload, format: name, registration }: Delivery,
  { dialects, scenario, webhooks: { receivers } }: Simulator,
): Promise<AttemptShape['expected']> {
  if (flaw === undefined && isEqual(sent.body, payload)) return undefined
  const format = (await dialects.load(name)).webhooks(scenario)
  const keys = signingKeys(receivers.at(url, registration), format, startedAt)
  const { headers, body } = await signAttempt({ id, url, isOwn, body: payload, at: startedAt }, keys)
  return { headers: { ...without(sent.headers, headers), ...headers }, body: decoder.decode(body) }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** The headers without those of other ones, whatever the case of their names. */
function without(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}
