import type { TaskShape } from '../../../control/shapes.js'
import { filesIn, type OutputFile } from '../../model/output-files.js'
import { Card } from '../../parts/card.js'
import { Code } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { sandbox } from '../../state/place.js'
import { Reply } from './reply.js'

/** What a task has made, to be looked at, listened to or read. */
export function Output({ task }: { readonly task: TaskShape }) {
  const { output, status } = task
  if (output === undefined) {
    return status === 'succeeded' ? (
      <Card title="Output">
        <p class="hint">It is no longer kept.</p>
      </Card>
    ) : null
  }
  const files = filesIn(output, task.id)
  return (
    <Card
      title="Output"
      aside={<CopyButton label="Copy the output as JSON" text={JSON.stringify(output, null, 2)} />}
    >
      {files.length > 0 && (
        <div class={`files files-${Math.min(files.length, 3)}`}>
          {files.map((file) => (
            <File key={file.place} file={file} task={task} />
          ))}
        </div>
      )}
      {files.length === 0 && typeof output['message'] === 'object' ? <Reply output={output} /> : null}
      <details open={files.length === 0 && typeof output['message'] !== 'object'}>
        <summary>As JSON</summary>
        <Code text={JSON.stringify(output, null, 2)} label="Output" />
      </details>
    </Card>
  )
}

/** It is fetched by the control API, so that looking at it is not taken for a download by the app. */
function File({
  file: { place, medium, url },
  task: { id, input },
}: {
  readonly file: OutputFile
  readonly task: TaskShape
}) {
  const source = withToken(`${controlUrl(sandbox.value)}/tasks/${encodeURIComponent(id)}/files/${place}`)
  const words = typeof input['prompt'] === 'string' ? input['prompt'] : `Output ${place + 1}`
  return (
    <figure class={`file file-${medium}`}>
      {medium === 'image' && <img src={source} alt={words} loading="lazy" />}
      {medium === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: what a model has made has no captions
        <video src={source} controls loop playsInline preload="metadata" aria-label={words} />
      )}
      {medium === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: what a model has made has no captions
        <audio src={source} controls preload="metadata" aria-label={words} />
      )}
      <figcaption>
        <a href={url} target="_blank" rel="noreferrer">
          Open its signed URL
        </a>
        <CopyButton label="Copy the URL" text={url} />
      </figcaption>
    </figure>
  )
}
