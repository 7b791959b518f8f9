import { curlOf } from '../../model/curl.js'
import { Code } from '../../parts/code.js'
import { Empty } from '../../parts/empty.js'
import { rootControl, SERVICE_URL } from '../../server/control.js'
import { sandbox } from '../../state/route.js'
import { useFetched } from '../../state/use-fetched.js'

const EXAMPLE = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }

/** The first steps, shown while there are no tasks. */
export function Welcome() {
  const id = sandbox.value
  const { value: details } = useFetched(`sandbox ${id}`, 0, async () =>
    id === undefined ? undefined : rootControl.sandboxes.get(id),
  )
  return (
    <Empty icon="tasks" title="No tasks yet">
      <p>Create a task to see its progress here:</p>
      <Code text={curlOf(SERVICE_URL, EXAMPLE, details?.api_key)} label="Command" />
      <p class="muted">
        Or set the base URL of your app to <code>{SERVICE_URL}/api/v1</code>
        {details === undefined ? ' with any API key.' : ' with the API key of this sandbox.'}
      </p>
    </Empty>
  )
}
