import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RequestEntryShape, ServiceRequestShape } from '../../../control/shapes.js'
import { editedRequest, flawsOf, hasBody, requestOf } from '../../model/edited-request.js'
import { duration } from '../../model/format.js'
import { decisionLabel, heldTime, statusLabel } from '../../model/requests/request-filter.js'
import { LinkButton } from '../../parts/button.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { useEdited } from '../../state/edits.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { sendRequest } from '../../state/run-request.js'
import { control, loadVersion } from '../../state/session.js'
import { BodyEditor, EditorField } from '../editor-field.js'
import { Again, AgainPage } from './again.js'

/** A request of the journal that can be edited and sent again, with both answers side by side. */
export function RequestAgain({ id }: { readonly id: string }) {
  const found = useFetched(`again ${id}`, loadVersion.value, async () => {
    const { journal } = control.value
    const [first, request] = await Promise.all([journal.request(id), journal.repeat(id)])
    return { first, request }
  })
  return (
    <AgainPage what="request" view="requests" id={id} found={found}>
      {(value) => <Repetition {...value} />}
    </AgainPage>
  )
}

/** When to say that the service holds its answer, in milliseconds. */
const PATIENCE = 1_000

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const FACTS: Readonly<Record<string, (entry: RequestEntryShape) => string>> = {
  Status: statusLabel,
  'Decided by': decisionLabel,
  Reason: ({ decided_by: decision }) => decision?.reason ?? '',
  Task: ({ task_id: task = '' }) => task,
  Held: (entry) => (heldTime(entry) > 0 ? duration(heldTime(entry)) : ''),
}

function Repetition({
  first,
  request,
}: {
  readonly first: RequestEntryShape
  readonly request: ServiceRequestShape
}) {
  const edited = useEdited(`request ${first.id}`, request, editedRequest)
  const { method, path, headers, body } = edited.value
  const isJson = useRef(/^\s*[[{]/.test(body))
  // The files of a form are not recorded.
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  const hasSecret = /\$API_KEY|\*\*\*|\w\.\.\.\w/.test(headers)
  const flaws = flawsOf(edited.value)
  /** Ends the wait for an answer that the service holds. */
  const held = useSignal<AbortController | undefined>(undefined)
  useEffect(() => () => held.peek()?.abort(), [])
  const send = async () => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      held.value = abort
    }, PATIENCE)
    try {
      const entry = await sendRequest(requestOf(edited.value, location.origin), abort.signal)
      const why = 'The request is not in the journal: its key may belong to another sandbox.'
      return { entry, why, links: entry && <Links entry={entry} /> }
    } finally {
      clearTimeout(timer)
      held.value = undefined
    }
  }
  return (
    <Again
      title="Request"
      edited={edited}
      isFlawed={Object.keys(flaws).length > 0}
      first={first}
      facts={FACTS}
      answerOf={({ response_headers: headers, response_body: body }) => ({
        headers,
        body: body ?? undefined,
      })}
      onSend={send}
    >
      <ChoiceField
        label="Method"
        value={method}
        values={METHODS}
        onChange={(method) => edited.change({ method })}
      />
      <TextField
        label="Path and query"
        value={path}
        error={flaws.path}
        onChange={(path) => edited.change({ path })}
      />
      <EditorField
        label="Headers"
        text={headers}
        language="text"
        hint={hasSecret ? 'Secrets are masked: put the key of your client in their place.' : undefined}
        mistake={flaws.headers}
        onChange={(headers) => edited.change({ headers })}
      />
      {hasBody(method) && (
        <BodyEditor
          text={body}
          isJson={isJson.current}
          hint={isForm ? 'The journal has no files of forms, so the body is empty.' : undefined}
          onChange={(body) => edited.change({ body })}
        />
      )}
      <div role="status" class="field-wide">
        {held.value !== undefined && (
          <p class="hint">
            The service holds its answer.{' '}
            <button type="button" class="link" onClick={() => held.value?.abort()}>
              Stop waiting
            </button>
          </p>
        )}
      </div>
    </Again>
  )
}

function Links({ entry: { id, task_id: task } }: { readonly entry: RequestEntryShape }) {
  return (
    <>
      {task !== undefined && (
        <LinkButton icon="tasks" href={linkTo({ view: 'tasks', id: task })}>
          Show task
        </LinkButton>
      )}
      <LinkButton icon="requests" href={linkTo({ view: 'requests', id })}>
        Show request
      </LinkButton>
    </>
  )
}
