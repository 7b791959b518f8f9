import type { Delivery } from '../../../engine/webhooks/delivery.js'

/** Whether no genuine webhook ever came: it was lost, or each attempt had something wrong with it on purpose. */
export function isUndeliverable({ state, attempts }: Delivery): boolean {
  if (state === 'lost') return true
  return state === 'given_up' && attempts.length > 0 && attempts.every(({ flaw }) => flaw !== undefined)
}
