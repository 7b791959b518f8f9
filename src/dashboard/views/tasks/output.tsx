import type { TaskShape } from '../../../control/shapes.js'
import { count } from '../../model/format.js'
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
      {files.length === 0 && typeof output['message'] === 'object' ? <Reply output={output} /> : null}
      <details open={files.length === 0 && typeof output['message'] !== 'object'}>
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
      {medium === 'image' && <img src={source} alt={words} loading="lazy" />}
      {medium === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: generated media has no captions
        <video src={source} controls loop playsInline preload="metadata" aria-label={words} />
      )}
      {medium === 'audio' && (
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

interface Message {
  readonly content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: readonly {
    readonly id?: string
    readonly function?: { readonly name?: string; readonly arguments?: string }
  }[]
}

/** The message of an LLM: its text, its tool calls and its token usage. */
function Reply({ output }: { readonly output: NonNullable<TaskShape['output']> }) {
  const message = Object(output['message']) as Message
  const usage = Object.entries(Object(output['usage']) as Record<string, number>)
  return (
    <div class="reply">
      {typeof message.content === 'string' &&
        message.content.split(/\n{2,}/).map((text, index) => <p key={index}>{text}</p>)}
      {message.tool_calls?.map((call, index) => (
        <div key={call.id ?? index} class="tool-call">
          <h3>
            Tool call: <code>{call.function?.name}</code>
          </h3>
          <Body body={call.function?.arguments ?? ''} label="Arguments" />
        </div>
      ))}
      <ul class="usage">
        {typeof output['finish_reason'] === 'string' && (
          <li>finish reason: {output['finish_reason'].replace('_', ' ')}</li>
        )}
        {usage.map(([name, tokens]) => (
          <li key={name}>
            {name.replaceAll('_', ' ')} <b>{count(tokens)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
