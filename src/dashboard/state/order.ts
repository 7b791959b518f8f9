import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { WrittenRequestShape } from '../../control/shapes.js'
import { newRequestOf, type Order } from '../model/compose/order.js'
import { throttle } from './fetched.js'
import { type Flaw, flawOf } from './notifications.js'
import { replaceQuery, route } from './route.js'
import { control, scenarioVersion } from './session.js'

/** The intervals between changes of the address and between requests to the server, in milliseconds. */
const ADDRESS_INTERVAL = 300
const WRITE_INTERVAL = 100

/** The order of the composer, in sync with the address. */
export const order = signal<Order>({})

/** The request that the server writes for the order; undefined until it has written one. */
export const written = signal<WrittenRequestShape | undefined>(undefined)

/** Why the server writes no request for the order. */
export const orderFlaw = signal<Flaw | undefined>(undefined)

/** The API key that the user gives, if the scenario lists the keys; kept until the page is closed. */
export const ownKey = signal('')

/** The query in the address that the order has come from or gone to. */
let shown: Order | undefined

/** Keeps the order in sync with the address while the composer is open. */
export function useOrder(): void {
  const { view, query } = route.value
  useEffect(() => {
    // A link to the view, such as "New task", replaces the order.
    if (view !== 'new' || query === shown) return
    shown = query
    order.value = query
  }, [view, query])
  useEffect(write, [order.value, scenarioVersion.value])
  useEffect(
    () => () => {
      shown = undefined
      written.value = undefined
    },
    [],
  )
}

/** Changes parts of the order. */
export function changeOrder(change: Order): void {
  replaceOrder({ ...order.peek(), ...change })
}

export function replaceOrder(next: Order): void {
  order.value = next
  showLater()
}

/** Puts the order into the address at once, so that the way back leads to it. */
export function showOrder(): void {
  if (route.peek().view !== 'new') return
  replaceQuery(order.peek())
  shown = route.peek().query
}

const showLater = throttle(ADDRESS_INTERVAL, async () => showOrder())

const write = throttle(WRITE_INTERVAL, async () => {
  const asked = order.peek()
  try {
    const value = await control.peek().dialects.write(newRequestOf(asked))
    if (asked !== order.peek()) return
    written.value = value
    orderFlaw.value = undefined
  } catch (error) {
    if (asked === order.peek()) orderFlaw.value = flawOf(error)
  }
})

/** Why the server does not accept a field of the order; undefined if it does. */
export function orderErrorOf(field: string): string | undefined {
  return orderFlaw.value?.field === field ? orderFlaw.value.message : undefined
}
