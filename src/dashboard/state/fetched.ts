import { computed, effect, type ReadonlySignal, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ReceiverShape, UpcomingShape } from '../../control/shapes.js'
import type { SchemaNode } from '../model/editor/completions.js'
import { SCENARIO_SCHEMA_URL } from '../server/control.js'
import { clock } from './clock.js'
import { describeError } from './notifications.js'
import { sandbox } from './route.js'
import { connection, control, deliveryVersion, scenarioVersion } from './session.js'

/** The state of a fetch; the value is undefined until it has loaded. */
export interface Fetched<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
  readonly reload: () => void
}

/**
 * Fetches a value, and fetches it again when `version` changes. The old value remains until the new value has loaded.
 * @param key identifies the value; when it changes, the old value is discarded
 */
export function useFetched<Value>(
  key: string,
  version: unknown,
  fetch: () => Promise<Value>,
): Fetched<Value> {
  const state = useSignal<{ key: string; value?: Value; error?: string }>({ key })
  const latest = useRef({ key, fetch })
  latest.current = { key, fetch }
  const reload = useRef(
    throttle(200, async () => {
      const { key, fetch } = latest.current
      try {
        const value = await fetch()
        if (latest.current.key === key) state.value = { key, value }
      } catch (error) {
        if (latest.current.key === key && !(error instanceof TypeError))
          state.value = { key, error: describeError(error) }
      }
    }),
  )
  useEffect(() => reload.current(), [key, version])
  const { value, error } = state.value.key === key ? state.value : { value: undefined, error: undefined }
  return { value, error, reload: reload.current }
}

/** A value of the selected simulator that the page loads once a view needs it, and again whenever it changes. */
export interface Resource<Value> {
  /** Undefined until it has loaded. */
  readonly value: ReadonlySignal<Value | undefined>
  /** Loads it, and keeps it up to date from then on. */
  readonly want: () => void
  readonly reload: () => void
}

/** @param version reads the signals whose changes lead to another fetch */
export function resource<Value>(version: () => unknown, fetch: () => Promise<Value>): Resource<Value> {
  const isWanted = signal(false)
  const loaded = signal<{ readonly of: string | undefined; readonly value: Value } | undefined>(undefined)
  const reload = throttle(200, async () => {
    const of = sandbox.peek()
    const value = await fetch()
    if (of === sandbox.peek()) loaded.value = { of, value }
  })
  effect(() => {
    sandbox.value
    version()
    if (isWanted.value && connection.value === 'live') reload()
  })
  const value = computed(() => (loaded.value?.of === sandbox.value ? loaded.value?.value : undefined))
  const want = () => {
    isWanted.value = true
  }
  return { value, want, reload }
}

/** The registered receivers of the simulator. */
export function useReceivers(): Fetched<readonly ReceiverShape[]> {
  const version = `${deliveryVersion.value} ${scenarioVersion.value}`
  return useFetched(`receivers ${sandbox.value}`, version, () => control.value.receivers.list())
}

/** What happens next. It is read again whenever the next event changes, or `others`, which any other event changes. */
export function useUpcoming(others = ''): UpcomingShape | undefined {
  const version = `${clock.value?.next} ${scenarioVersion.value} ${others}`
  return useFetched(`upcoming ${sandbox.value}`, version, () => control.value.clock.upcoming()).value
}

/** The schema of scenarios. Without it, the editor suggests nothing. */
export const scenarioSchema = resource(
  () => undefined,
  async (): Promise<SchemaNode> => (await fetch(SCENARIO_SCHEMA_URL)).json(),
)

/**
 * Limits how often a function runs: at most once per interval, given in milliseconds. Calls during a run or the
 * interval lead to one more run. The next run follows even after an error.
 */
export function throttle(interval: number, run: () => Promise<unknown>): () => void {
  let isRequested = false
  let isBusy = false
  const work = () => {
    isRequested = false
    isBusy = true
    run()
      .catch(() => {})
      .finally(() =>
        setTimeout(() => {
          isBusy = false
          if (isRequested) work()
        }, interval),
      )
  }
  return () => {
    isRequested = true
    if (!isBusy) work()
  }
}
