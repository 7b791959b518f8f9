import type { SentRequest } from '../../model/compose/sent-request.js'
import { Icon } from '../../parts/icon.js'
import { linkTo } from '../../state/route.js'
import { taskStore, taskVersion } from '../../state/tasks.js'

/** The id of the newest task of a model. */
export function newestOf(model: string): string | undefined {
  return taskStore.list((task) => task.model === model)[0]?.id
}

/** What has become of the request. */
export function SentNote({ sent, model }: { readonly sent: SentRequest; readonly model: string }) {
  taskVersion.value
  const newest = sent.state === 'held' ? newestOf(model) : undefined
  return (
    <div role="alert" class="sent-box">
      {sent.state === 'held' && (
        <p class="sent">
          The service holds its answer, usually until the task has ended.{' '}
          {newest !== undefined && newest !== sent.known && (
            <a href={linkTo({ view: 'tasks', id: newest })}>Open the new task</a>
          )}
        </p>
      )}
      {(sent.state === 'refused' || sent.state === 'unsent') && (
        <p class="sent sent-bad">
          <Icon name="error" />
          <span>
            {sent.state === 'refused' && <b class="status status-4">{sent.status}</b>} {sent.reason}{' '}
            {sent.state === 'refused' ? (
              <a href={linkTo({ view: 'requests', id: sent.requestId })}>Show the request</a>
            ) : (
              <a href={linkTo({ view: 'requests' })}>Show requests</a>
            )}
          </span>
        </p>
      )}
    </div>
  )
}
