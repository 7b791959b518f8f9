import { Icon } from '../../parts/icon.js'
import { linkTo } from '../../state/route.js'
import { recording } from '../../state/session.js'

/** Opens the composer. A recording has none, because nothing may be sent to the real service. */
export function NewTaskLink() {
  if (recording.value !== undefined) return null
  return (
    <a class="button button-accent" href={linkTo({ view: 'new' })} title="New task (c)">
      <Icon name="add" />
      <span>New task</span>
    </a>
  )
}
