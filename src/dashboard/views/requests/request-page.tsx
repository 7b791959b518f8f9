import type { RequestEntryShape, ServiceRequestShape } from '../../../control/shapes.js'
import { clockTime, day, duration, plural } from '../../model/format.js'
import {
  decisionLabel,
  heldTime,
  isRefused,
  statusClass,
  statusLabel,
} from '../../model/requests/request-filter.js'
import { Card, Loading, NotFound } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { Body } from '../../parts/code/body.js'
import { codeItems } from '../../parts/copy.js'
import { Icon } from '../../parts/icon.js'
import { PageHead } from '../../parts/page-head.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo, route } from '../../state/route.js'
import { control, loadVersion, recording } from '../../state/session.js'

/** The details of one request. */
export function RequestPage({ id }: { readonly id: string }) {
  const { value, error } = useFetched(`request ${id}`, loadVersion.value, async () => {
    const { journal } = control.value
    const [request, repeated] = await Promise.all([journal.request(id), journal.repeat(id, { code: 'true' })])
    return { request, repeated }
  })
  if (error !== undefined) {
    const reason = `${error} The journal keeps the last 10,000 entries, and a reset clears it.`
    return <NotFound what="request" error={reason} list={linkTo({ view: 'requests' })} />
  }
  if (value === undefined) return <Loading what="The request" />
  const { request, repeated } = value
  return (
    <article class="task stack request">
      <a class="back" href={linkTo({ view: 'requests', query: route.value.query })}>
        <Icon name="back" /> All requests
      </a>
      <Head request={request} repeated={repeated} />
      <Decision request={request} />
      <div class="actions">
        {request.task_id !== undefined && (
          <LinkButton icon="tasks" href={linkTo({ view: 'tasks', id: request.task_id })}>
            Show task
          </LinkButton>
        )}
        {recording.value === undefined && (
          <LinkButton
            icon="again"
            href={linkTo({ view: 'requests', id, query: { ...route.value.query, again: 'edit' } })}
          >
            Edit and send again
          </LinkButton>
        )}
      </div>
      <Card title="Request">
        <Content text={request.request_body} label="Request body" missing={whyNoBody(request)} />
        <Headers headers={request.request_headers} isOpen={!request.request_body} />
      </Card>
      <Card title="Response">
        {!request.delivered && <p class="tag">The client did not get the whole response.</p>}
        <Content
          text={request.response_body}
          label="Response body"
          missing="No body is recorded: it is empty, a file, or longer than 16 KB."
        />
        <Headers headers={request.response_headers} isOpen={!request.response_body} />
      </Card>
    </article>
  )
}

function Head({
  request,
  repeated,
}: {
  readonly request: RequestEntryShape
  readonly repeated: ServiceRequestShape
}) {
  const { id, method, path, query, at, operation, dialect, key } = request
  const { took_ms: took, retry_after_ms: retry } = request
  const held = heldTime(request)
  const time = Date.parse(at)
  const test = { label: 'Vitest test', note: 'passes as it is', text: () => control.value.journal.test(id) }
  return (
    <PageHead
      of="this request"
      view="requests"
      id={id}
      value={request}
      jsonNote="with its answer"
      items={[...codeItems(repeated, 'repeats it'), ...(recording.value === undefined ? [test] : [])]}
      states={<span class={`${statusClass(request)} status-large`}>{statusLabel(request)}</span>}
      title={
        <h2 class="request-title">
          {method} <code>{query === '' ? path : `${path}?${query}`}</code>
        </h2>
      }
      facts={{
        Operation: operation ?? 'none',
        Dialect: dialect ?? 'none',
        Key: key === '' ? 'no accepted key' : key,
        Received: `${day(time)} ${clockTime(time, true)}`,
        Held: held > 0 ? duration(held) : undefined,
        'Real time': duration(took),
        'Retry after': retry === undefined ? undefined : duration(retry),
      }}
    />
  )
}

/** Says why the request got its answer. */
function Decision({ request }: { readonly request: RequestEntryShape }) {
  const { decided_by: decision, fault } = request
  if (decision === undefined) {
    return fault === undefined ? null : (
      <p class="plan">
        The fault rule <code>{fault}</code> delayed the answer, and changed nothing else.
      </p>
    )
  }
  return (
    <p class={isRefused(request) ? 'box box-bad decision' : 'plan'}>
      <b>{decisionLabel(request)}</b> {decision.reason}
    </p>
  )
}

function Content({
  text,
  label,
  missing,
}: {
  readonly text: string | undefined
  readonly label: string
  readonly missing: string
}) {
  return text ? <Body body={text} label={label} /> : <p class="hint">{missing}</p>
}

function whyNoBody(request: RequestEntryShape): string {
  if (request.method === 'GET' || request.method === 'HEAD') return 'The request has no body.'
  return isRefused(request)
    ? 'No body is recorded: the request was rejected before its body was read, or it has none.'
    : 'No body is recorded: it is empty, a file, or longer than 16 KB.'
}

/** Headers by name, which the user can open. */
function Headers({
  headers = {},
  isOpen,
}: {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether they are open at first: they are, if there is nothing else to see. */
  readonly isOpen: boolean
}) {
  const lines = Object.entries(headers)
  if (lines.length === 0) return <p class="hint">No headers are recorded.</p>
  return (
    <details open={isOpen}>
      <summary>{plural(lines.length, 'header')}</summary>
      <dl class="headers stack">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
