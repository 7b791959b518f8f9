import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { wordsOf } from './notices.js'
import { atMostEvery } from './pace.js'

/** What was fetched, as far as it is there. */
export interface Fetched<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
  readonly reload: () => void
}

/**
 * Fetches something, and again when `version` has changed; what is there stays until something newer is.
 * @param key what it is about: where that changes, what was there is of no use
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
    atMostEvery(200, async () => {
      const { key, fetch } = latest.current
      try {
        const value = await fetch()
        if (latest.current.key === key) state.value = { key, value }
      } catch (error) {
        if (latest.current.key === key && !(error instanceof TypeError))
          state.value = { key, error: wordsOf(error) }
      }
    }),
  )
  useEffect(() => reload.current(), [key, version])
  const { value, error } = state.value.key === key ? state.value : { value: undefined, error: undefined }
  return { value, error, reload: reload.current }
}
