import type { DeliveryBriefShape, DeliveryShape } from '../../../control/shapes.js'

/** Leaves out headers and bodies, which would fill the memory of the page. */
export function deliveryBriefOf(delivery: DeliveryShape): DeliveryBriefShape {
  const attempts = delivery.attempts.map(({ request: _, response: __, expected: ___, ...brief }) => brief)
  return { ...delivery, attempts }
}

/** The number of a delivery at the end of its id, such as 37 of `dlv_00000011`, in the order of creation. */
export function numberOf(id: string): number {
  const number = Number.parseInt(id.slice(id.lastIndexOf('_') + 1), 36)
  return Number.isNaN(number) ? 0 : number
}
