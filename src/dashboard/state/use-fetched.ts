import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { describeError } from './notifications.js'
import { throttle } from './throttle.js'

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
