import { computed, effect } from '@preact/signals'
import type { DeliveryShape } from '../../control/shapes.js'
import { totalOf } from '../model/format.js'
import { createDeliveryStore, deliveryBriefOf, numberOf } from '../model/webhooks/deliveries.js'
import { isSigned } from './dialects.js'
import { throttle } from './fetched.js'
import { listOf } from './list.js'
import { control, simulator } from './session.js'

const PAGE_SIZE = 1_000
/** The further deliveries of a page, because more may have been sent since the counts were read. */
const MARGIN = 20
const REFRESH_INTERVAL = 400

/** The deliveries of the page. */
export const deliveryList = listOf(
  createDeliveryStore((dialect) => isSigned.value(dialect)),
  'state',
)
const { store, isLoading } = deliveryList

/** All deliveries up to the one with this number are known. */
let knownUpTo = 0

/** Forgets all deliveries, as after a restart of the server. */
export function forgetDeliveries(): void {
  knownUpTo = 0
  deliveryList.forget()
}

/** Adds deliveries of the stream in their present state. */
export function putDeliveries(deliveries: readonly DeliveryShape[]): void {
  if (deliveries.length === 0) return
  for (const delivery of deliveries) store.put(deliveryBriefOf(delivery))
  deliveryList.touch()
}

/** The number of deliveries since the start of the simulator. */
const opened = computed(() => totalOf(simulator.value?.deliveries ?? {}))

/**
 * Keeps the list complete while the view is open: the stream has no deliveries that wait for their first attempt.
 * @returns a function that stops it
 */
export function followDeliveries(): () => void {
  return effect(() => {
    deliveryList.version.value
    if (simulator.value !== undefined && (opened.value > knownUpTo || isLoading.peek())) loadMissing()
  })
}

const loadMissing = throttle(REFRESH_INTERVAL, async () => {
  let newest = opened.peek()
  const limit = Math.min(PAGE_SIZE, newest - knownUpTo + MARGIN)
  const isDone = await deliveryList.load(
    (cursor) => control.peek().deliveries.brief({ limit, ...cursor }),
    (page) => {
      newest = Math.max(newest, numberOf(page[0]?.id ?? ''))
      return numberOf(page.at(-1)?.id ?? '') <= knownUpTo
    },
  )
  if (isDone) knownUpTo = newest
})

const all = computed(() => {
  deliveryList.version.value
  return store.list(() => true)
})

/** The verdicts on the signatures of all deliveries. */
export const knownVerdicts = computed(() => Object.keys(store.form.filter.count('verdict', all.value)))

/** What the page knows of a delivery, to see that it has changed. */
export function knownDelivery(id: string): string {
  deliveryList.version.value
  const { state = '', attempts = [] } = store.get(id) ?? {}
  return `${state} ${attempts.length}`
}
