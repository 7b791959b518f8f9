import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import { newRequestOf, type Order } from '../../model/compose/order.js'
import { throttle } from '../../state/fetched.js'
import { type Flaw, flawOf } from '../../state/notifications.js'
import { replaceQuery, route } from '../../state/route.js'
import { control, scenarioVersion } from '../../state/session.js'

/** The intervals between changes of the address and between requests to the server, in milliseconds. */
const ADDRESS_INTERVAL = 300
const WRITE_INTERVAL = 100

/** The order of the composer, in sync with the address, and the request that the server writes for it. */
export function useOrder() {
  const order = useSignal<Order>(route.peek().query)
  const written = useSignal<WrittenRequestShape | undefined>(undefined)
  const flaw = useSignal<Flaw | undefined>(undefined)
  const shown = useRef(route.peek().query)
  const { view, query } = route.value
  useEffect(() => {
    // A link to the view, such as "New task", replaces the order.
    if (view !== 'new' || query === shown.current) return
    shown.current = query
    order.value = query
  }, [view, query])
  const keep = () => {
    if (route.peek().view !== 'new') return
    replaceQuery(order.peek())
    shown.current = route.peek().query
  }
  const show = useRef(throttle(ADDRESS_INTERVAL, async () => keep()))
  const write = useRef(
    throttle(WRITE_INTERVAL, async () => {
      const asked = order.peek()
      try {
        const value = await control.peek().dialects.write(newRequestOf(asked))
        if (asked !== order.peek()) return
        written.value = value
        flaw.value = undefined
      } catch (error) {
        if (asked === order.peek()) flaw.value = flawOf(error)
      }
    }),
  )
  useEffect(() => write.current(), [order.value, scenarioVersion.value])
  const replace = (next: Order) => {
    order.value = next
    show.current()
  }
  return { order: order.value, written: written.value, flaw: flaw.value, replace, keep }
}
