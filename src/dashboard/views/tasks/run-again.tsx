import type { ServiceRequestShape } from '../../../control/shapes.js'
import { needsKey } from '../../model/needs-key.js'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { notify } from '../../state/notifications.js'
import { linkTo, navigate } from '../../state/route.js'
import { runRequest } from '../../state/run-request.js'

/** Creates an identical task, or opens the composer with the order of the task. */
export function RunAgain({
  id,
  request,
}: {
  readonly id: string
  /** A request that creates an identical task. */
  readonly request: ServiceRequestShape
}) {
  const compose = { view: 'new', query: { from: id } } as const
  const run = async () => {
    // The composer asks for a key that only the user knows.
    if (needsKey(request)) {
      navigate(compose)
      return
    }
    const sent = await runRequest(request, '', () => true)
    if (sent?.state === 'refused') notify('bad', `The service answered ${sent.status}: ${sent.reason}`)
    if (sent?.state === 'unsent') notify('bad', sent.reason)
  }
  return (
    <>
      <Button icon="again" label="Create an identical task" onPress={run}>
        Run again
      </Button>
      <a class="button" href={linkTo(compose)} title="Change the values of this task, and run it">
        <Icon name="scenario" />
        <span>Edit and run</span>
      </a>
    </>
  )
}
