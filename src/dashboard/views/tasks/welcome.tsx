import { useSignal } from '@preact/signals'
import { curlOf } from '../../../client/curl.js'
import { Choice } from '../../parts/choice.js'
import { Code } from '../../parts/code.js'
import { Empty } from '../../parts/empty.js'
import { SERVICE_URL } from '../../server/control.js'
import { sandbox } from '../../state/route.js'
import { control, scenarioVersion } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'

/** The dialect that needs no other base URL. */
const MAIN = 'tasks'

/** The first steps, shown while there are no tasks. */
export function Welcome() {
  const name = useSignal(MAIN)
  const id = sandbox.value
  const { value: dialects = [] } = useFetched(`dialects ${id}`, scenarioVersion.value, () =>
    control.value.dialects.list(),
  )
  const dialect = dialects.find((each) => each.name === name.value)
  return (
    <Empty icon="tasks" title="No tasks yet">
      <p>Create a task to see its progress here:</p>
      <Choice
        label="Dialect"
        value={name.value}
        values={dialects.length === 0 ? [MAIN] : dialects.map((each) => each.name)}
        onChoose={(chosen) => {
          name.value = chosen
        }}
      />
      {dialect !== undefined && <Code text={curlOf(dialect.example)} label="Command" />}
      {name.value === MAIN && (
        <p class="muted">
          Or set the base URL of your app to <code>{SERVICE_URL}/api/v1</code>
          {id === undefined ? ' with any API key.' : ' with the API key of this sandbox.'}
        </p>
      )}
    </Empty>
  )
}
