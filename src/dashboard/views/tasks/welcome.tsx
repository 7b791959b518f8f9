import { curlOf } from '../../model/curl.js'
import { Code } from '../../parts/code.js'
import { Empty } from '../../parts/empty.js'
import { SERVICE_URL } from '../../server/address.js'
import { rootControl } from '../../server/control.js'
import { sandbox } from '../../state/place.js'
import { useFetched } from '../../state/use-fetched.js'

const EXAMPLE = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }

/** What to do where nothing has happened yet. */
export function Welcome() {
  const id = sandbox.value
  const { value: box } = useFetched(`sandbox ${id}`, 0, async () =>
    id === undefined ? undefined : rootControl.sandboxes.get(id),
  )
  return (
    <Empty icon="tasks" title="No task yet">
      <p>Create one, and watch it move through its states here:</p>
      <Code text={curlOf(SERVICE_URL, EXAMPLE, box?.api_key)} label="Command" />
      <p class="muted">
        Or point your app’s base URL at <code>{SERVICE_URL}/api/v1</code>
        {box === undefined ? ' with any API key.' : ' with the API key of this sandbox.'}
      </p>
    </Empty>
  )
}
