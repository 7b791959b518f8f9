import { connection } from '../state/session.js'
import { Empty } from './empty.js'

/** Stands for something that is not there yet. */
export function Loading({ what }: { readonly what: string }) {
  if (connection.value !== 'lost') return <p class="hint">Loading…</p>
  return (
    <Empty icon="lost" title="The server does not answer">
      <p>{what} will appear when the server answers again.</p>
    </Empty>
  )
}
