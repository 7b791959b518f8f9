import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RequestEntryShape, ServiceRequestShape } from '../../../control/shapes.js'
import { compareFacts } from '../../model/comparison.js'
import { type EditedRequest, editedRequest, flawsOf, hasBody, requestOf } from '../../model/edited-request.js'
import { duration } from '../../model/format.js'
import { decisionLabel, heldTime, statusLabel } from '../../model/requests/request-filter.js'
import { LinkButton } from '../../parts/button.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { useEdited } from '../../state/edits.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { sendRequest } from '../../state/run-request.js'
import { control, loadVersion } from '../../state/session.js'
import { AgainForm, AgainPage, Answers } from './answers.js'
import { BodyEditor, EditorField } from './text-editor.js'

/** A request of the journal that can be edited and sent again, with both answers side by side. */
export function RequestAgain({ id }: { readonly id: string }) {
  const found = useFetched(`again ${id}`, loadVersion.value, async () => {
    const { journal } = control.value
    const [first, request] = await Promise.all([journal.request(id), journal.repeat(id)])
    return { first, request }
  })
  return (
    <AgainPage what="request" view="requests" id={id} found={found}>
      {({ first, request }) => <Repetition first={first} request={request} />}
    </AgainPage>
  )
}

/** When to say that the service holds its answer, in milliseconds. */
const PATIENCE = 1_000

function Repetition({
  first,
  request,
}: {
  readonly first: RequestEntryShape
  readonly request: ServiceRequestShape
}) {
  const edited = useEdited(`request ${first.id}`, request, editedRequest)
  const second = useSignal<RequestEntryShape | undefined>(undefined)
  const note = useSignal('')
  const wait = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => wait.current?.abort(), [])
  const flaws = flawsOf(edited.value)
  const isFlawed = Object.keys(flaws).length > 0
  const send = async () => {
    if (isFlawed || wait.current !== undefined) return
    const abort = new AbortController()
    wait.current = abort
    note.value = ''
    const timer = setTimeout(() => {
      note.value = 'The service holds its answer.'
    }, PATIENCE)
    try {
      second.value = await sendRequest(requestOf(edited.value, location.origin), abort.signal)
      note.value =
        second.value === undefined
          ? 'The request is not in the journal: its key may belong to another sandbox.'
          : ''
    } finally {
      clearTimeout(timer)
      wait.current = undefined
    }
  }
  return (
    <>
      <AgainForm title="Request" edited={edited} isFlawed={isFlawed} onSend={send}>
        <RequestForm
          edited={edited.value}
          isForm={request.headers['content-type']?.startsWith('multipart/') === true}
          hasSecret={/\$API_KEY|\*\*\*|\w\.\.\.\w/.test(edited.value.headers)}
          onChange={edited.change}
          onRun={send}
        />
        <div role="status">
          {note.value !== '' && (
            <p class="hint">
              {note.value}{' '}
              {wait.current !== undefined && (
                <button type="button" class="link" onClick={() => wait.current?.abort()}>
                  Stop waiting
                </button>
              )}
            </p>
          )}
        </div>
      </AgainForm>
      {second.value !== undefined && <BothAnswers first={first} second={second.value} />}
    </>
  )
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function RequestForm({
  edited: { method, path, headers, body },
  isForm,
  hasSecret,
  onChange,
  onRun,
}: {
  readonly edited: EditedRequest
  /** Whether the request was a form, whose files are not recorded. */
  readonly isForm: boolean
  /** Whether a header has a placeholder for a secret, or a masked one. */
  readonly hasSecret: boolean
  readonly onChange: (changed: Partial<EditedRequest>) => void
  readonly onRun: () => void
}) {
  const flaws = flawsOf({ method, path, headers, body })
  const isJson = useRef(/^\s*[[{]/.test(body))
  return (
    <div class="again-form">
      <ChoiceField
        label="Method"
        value={method}
        choices={Object.fromEntries(METHODS.map((each) => [each, each]))}
        onChange={(method) => onChange({ method })}
      />
      <TextField
        label="Path and query"
        value={path}
        error={flaws.path}
        onChange={(path) => onChange({ path })}
      />
      <EditorField
        label="Headers"
        text={headers}
        language="text"
        hint={hasSecret ? 'Secrets are masked: put the key of your client in their place.' : undefined}
        mistake={flaws.headers}
        onChange={(headers) => onChange({ headers })}
        onRun={onRun}
      />
      {hasBody(method) && (
        <BodyEditor
          text={body}
          isJson={isJson.current}
          hint={isForm ? 'The journal has no files of forms, so the body is empty.' : undefined}
          onChange={(body) => onChange({ body })}
          onRun={onRun}
        />
      )}
    </div>
  )
}

const FACTS: Readonly<Record<string, (entry: RequestEntryShape) => string>> = {
  Status: statusLabel,
  'Decided by': decisionLabel,
  Reason: ({ decided_by: decision }) => decision?.reason ?? '',
  Task: ({ task_id: task = '' }) => task,
  Held: (entry) => (heldTime(entry) > 0 ? duration(heldTime(entry)) : ''),
}

function BothAnswers({
  first,
  second,
}: {
  readonly first: RequestEntryShape
  readonly second: RequestEntryShape
}) {
  const facts = compareFacts(FACTS, first, second)
  return (
    <Answers facts={facts} answers={[answerOf(first), answerOf(second)]}>
      {second.task_id !== undefined && (
        <LinkButton icon="tasks" href={linkTo({ view: 'tasks', id: second.task_id })}>
          Show task
        </LinkButton>
      )}
      <LinkButton icon="requests" href={linkTo({ view: 'requests', id: second.id })}>
        Show request
      </LinkButton>
    </Answers>
  )
}

function answerOf({ response_headers: headers, response_body: body }: RequestEntryShape) {
  return { headers, body: body ?? undefined }
}
