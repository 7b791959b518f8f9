import type { TaskShape } from '../../../control/shapes.js'
import { addressesIn } from '../../model/recording.js'
import { filesIn, type OutputFile } from '../../model/tasks/describe.js'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { givenUrls, sinceExpiry } from '../../model/tasks/url-expiry.js'
import { Card } from '../../parts/blocks.js'
import { Body } from '../../parts/code/body.js'
import { CopyButton } from '../../parts/copy.js'
import { Icon } from '../../parts/icon.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { nowInSeconds } from '../../state/clock.js'
import { urlsOf } from '../../state/dialects.js'
import { sandbox } from '../../state/route.js'
import { recording } from '../../state/session.js'

/** The output of a task: its files or its message, and the JSON. */
export function Output({ record }: { readonly record: TaskRecord }) {
  const { task } = record
  const { output, status } = task
  if (output === undefined) {
    return status === 'succeeded' ? (
      <Card title="Output">
        <p class="hint">The output was deleted.</p>
      </Card>
    ) : null
  }
  const isRecorded = recording.value !== undefined
  const files = isRecorded ? [] : filesIn(output, task.id)
  const reply = replyIn(output)
  return (
    <Card
      title="Output"
      aside={<CopyButton label="Copy output as JSON" text={() => JSON.stringify(output, null, 2)} />}
    >
      {files.length > 0 && <Expiry record={record} />}
      {files.length > 0 && (
        <div class={`files files-${Math.min(files.length, 3)}`}>
          {files.map((file) => (
            <File key={file.index} file={file} task={task} />
          ))}
        </div>
      )}
      {isRecorded && <Addresses addresses={addressesIn(output)} />}
      {reply !== undefined && (
        <div class="reply">
          {reply.split(/\n{2,}/).map((text, index) => (
            <p key={index}>{text}</p>
          ))}
        </div>
      )}
      <details open={files.length === 0 && reply === undefined}>
        <summary>JSON</summary>
        <Body body={output} label="Output" />
      </details>
    </Card>
  )
}

/** Says that the URLs which the client got have expired; nothing if one is still valid, or it got none. */
function Expiry({ record }: { readonly record: TaskRecord }) {
  const given = givenUrls(record)
  const since = sinceExpiry(Math.max(...given.map(({ expire }) => expire)), nowInSeconds.value)
  if (given.length === 0 || since === undefined) return null
  return (
    <p class="expired" role="status">
      <Icon name="warning" /> The URLs that the client got {since}.{' '}
      {urlsOf(record.task.dialect)?.renewed !== false && 'Another poll gets fresh ones, as shown here.'}
    </p>
  )
}

/** The files of a real service, which the page does not load itself. */
function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  return (
    <ul class="addresses">
      {addresses.map((address) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer">
            {address}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Loads the file through the control API, so that it does not count as a download by the client. */
function File({
  file: { index, medium, url },
  task: { id, input },
}: {
  readonly file: OutputFile
  readonly task: TaskShape
}) {
  const source = withToken(`${controlUrl(sandbox.value)}/tasks/${encodeURIComponent(id)}/files/${index}`)
  const words = typeof input['prompt'] === 'string' ? input['prompt'] : `Output ${index + 1}`
  return (
    <figure class={`file file-${medium}`}>
      {medium === 'image' ? (
        <img src={source} alt={words} loading="lazy" />
      ) : medium === 'video' ? (
        // biome-ignore lint/a11y/useMediaCaption: generated media has no captions
        <video src={source} controls loop playsInline preload="metadata" aria-label={words} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: generated media has no captions
        <audio src={source} controls preload="metadata" aria-label={words} />
      )}
      <figcaption>
        <a href={url} target="_blank" rel="noreferrer">
          Open signed URL
        </a>
        <CopyButton label="Copy URL" text={url} />
      </figcaption>
    </figure>
  )
}

/** The text of the message of an LLM; undefined if there is none. */
function replyIn(output: NonNullable<TaskShape['output']>): string | undefined {
  const { content }: { readonly content?: unknown } = Object(output['message'])
  return typeof content === 'string' ? content : undefined
}
