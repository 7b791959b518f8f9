import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection } from '../state/session.js'
import { Loading } from './blocks.js'
import { setter } from './hooks.js'

/**
 * A component whose code is loaded when it is first shown, so that the page starts faster.
 * @param what its name in the message if the server does not answer
 */
export function lazy<Props extends object>(
  what: string,
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined)
  return function Lazy(props) {
    useEffect(() => {
      if (loaded.value !== undefined) return
      load().then(setter(loaded), () => {})
    }, [connection.value])
    const Component = loaded.value
    return Component === undefined ? <Loading what={what} /> : <Component {...props} />
  }
}
