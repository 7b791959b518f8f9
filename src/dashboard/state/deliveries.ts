import { computed, effect, signal } from '@preact/signals'
import type { DeliveryShape } from '../../control/shapes.js'
import { totalOf } from '../model/format.js'
import {
  DELIVERY_STATES,
  DeliveryStore,
  deliveryBriefOf,
  deliveryFilterIn,
  deliveryTest,
  numberOf,
  undelivered,
  verdictsOf,
} from '../model/webhooks/deliveries.js'
import { isSigned } from './dialects.js'
import { throttle } from './fetched.js'
import { replaceQuery, route } from './route.js'
import { control, simulator } from './session.js'

const PAGE_SIZE = 1_000
/** The further deliveries of a page, because more may have been sent since the counts were read. */
const MARGIN = 20
const REFRESH_INTERVAL = 400

/** The latest deliveries; `listVersion` increases with each change. */
const store = new DeliveryStore()
const listVersion = signal(0)

/** Whether older deliveries are still loading. */
export const isLoadingDeliveries = signal(true)

/** All deliveries up to the one with this number are known. */
let knownUpTo = 0
/** Increases when the deliveries are forgotten, so that the page ignores results of earlier requests. */
let generation = 0

/** Forgets all deliveries, as after a restart of the server. */
export function forgetDeliveries(): void {
  generation += 1
  knownUpTo = 0
  store.clear()
  listVersion.value = listVersion.peek() + 1
  isLoadingDeliveries.value = true
}

/** Adds deliveries of the stream in their present state. */
export function putDeliveries(deliveries: readonly DeliveryShape[]): void {
  if (deliveries.length === 0) return
  for (const delivery of deliveries) store.put(deliveryBriefOf(delivery))
  listVersion.value = listVersion.peek() + 1
}

/** The number of deliveries since the start of the simulator. */
const opened = computed(() => totalOf(simulator.value?.deliveries ?? {}))

/**
 * Keeps the list complete while the view is open: the stream has no deliveries that wait for their first attempt.
 * @returns a function that stops it
 */
export function followDeliveries(): () => void {
  return effect(() => {
    listVersion.value
    if (simulator.value !== undefined && (opened.value > knownUpTo || isLoadingDeliveries.peek()))
      loadMissing()
  })
}

const loadMissing = throttle(REFRESH_INTERVAL, async () => {
  const ownGeneration = generation
  const total = opened.peek()
  const limit = Math.min(PAGE_SIZE, total - knownUpTo + MARGIN)
  let after: string | null = null
  let newest = total
  do {
    const page = await control.peek().deliveries.brief({ limit, ...(after !== null && { after }) })
    if (ownGeneration !== generation) return
    for (const delivery of page.data) store.put(delivery)
    newest = Math.max(newest, numberOf(page.data[0]?.id ?? ''))
    const oldest = numberOf(page.data.at(-1)?.id ?? '')
    after = oldest > knownUpTo ? page.next_cursor : null
    if (after !== null) listVersion.value = listVersion.peek() + 1
  } while (after !== null)
  knownUpTo = newest
  isLoadingDeliveries.value = false
  listVersion.value = listVersion.peek() + 1
})

/** The conditions in the address. */
export const deliveryFilter = computed(() => deliveryFilterIn(route.value.query))

/** Changes conditions in the address, without a new entry in the history of the browser. */
export function setDeliveryFilter(change: Readonly<Record<string, string>>): void {
  replaceQuery({ ...deliveryFilter.peek(), ...change })
}

const allDeliveries = computed(() => {
  listVersion.value
  return store.list(() => true)
})

/** The number of known deliveries. */
export const deliveryCount = computed(() => allDeliveries.value.length)

/** The deliveries that match the filter, newest first. */
export const filteredDeliveries = computed(() =>
  allDeliveries.value.filter(deliveryTest(deliveryFilter.value, isSigned.value)),
)

/** The number of deliveries in each state that match all other conditions. */
export const deliveryStateCounts = computed(() => {
  const test = deliveryTest({ ...deliveryFilter.value, state: '' }, isSigned.value)
  const counts: Record<string, number> = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]))
  for (const delivery of allDeliveries.value)
    if (test(delivery)) counts[delivery.state] = (counts[delivery.state] ?? 0) + 1
  return counts
})

/** The options of the filters. */
export const deliveryChoices = computed(() => {
  const distinct = (values: Iterable<string>) => [...new Set(values)].sort()
  const all = allDeliveries.value
  return {
    events: distinct(all.map(({ event }) => event)),
    receivers: distinct(all.map(({ url }) => url)),
    dialects: distinct(all.map(({ dialect }) => dialect)),
    verdicts: new Set(all.flatMap((delivery) => verdictsOf(delivery, isSigned.value))),
  }
})

/** The deliveries in the filter that did not arrive and that nobody has sent again. */
export const failedDeliveries = computed(() => undelivered(filteredDeliveries.value, allDeliveries.value))

/** What the page knows of a delivery, to see that it has changed. */
export function knownDelivery(id: string): string {
  listVersion.value
  const { state = '', attempts = [] } = store.get(id) ?? {}
  return `${state} ${attempts.length}`
}
