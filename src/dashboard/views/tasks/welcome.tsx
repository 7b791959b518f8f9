import { useSignal } from '@preact/signals'
import { curlOf } from '../../../control/code/curl.js'
import { Code, Empty } from '../../parts/blocks.js'
import { Choice } from '../../parts/choices.js'
import { bound } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { SERVICE_URL } from '../../server/control.js'
import { useDialects } from '../../state/dialects.js'
import { linkTo, sandbox } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { Refusals } from '../requests/refusals.js'

/** The dialect that needs no other base URL. */
const MAIN = 'tasks'

/** The first steps, shown while there are no tasks. */
export function Welcome() {
  const upstream = recording.value?.upstream
  return (
    <Empty icon="tasks" title="No tasks yet">
      <Refusals />
      {upstream === undefined ? (
        <>
          <p>Create a task to see its progress here.</p>
          <NewTaskLink />
          <p class="muted">Or send a request:</p>
          <FirstRequest />
        </>
      ) : (
        <p>
          Send the requests of your app to the base URL that the proxy printed when it started. The tasks of{' '}
          <b>{upstream}</b> appear here.
        </p>
      )}
    </Empty>
  )
}

/** A request that creates a task, in each dialect. */
export function FirstRequest() {
  const name = useSignal(MAIN)
  const id = sandbox.value
  const dialects = useDialects()
  const dialect = dialects.find((each) => each.name === name.value)
  return (
    <>
      <Choice
        label="Dialect"
        values={dialects.length === 0 ? [MAIN] : dialects.map((each) => each.name)}
        {...bound(name)}
      />
      {dialect !== undefined && <Code text={curlOf(dialect.example)} label="Command" />}
      {name.value === MAIN && (
        <p class="muted">
          Or set the base URL of your app to <code>{SERVICE_URL}/api/v1</code>
          {id === undefined ? ' with any API key.' : ' with the API key of this sandbox.'}
        </p>
      )}
    </>
  )
}

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
