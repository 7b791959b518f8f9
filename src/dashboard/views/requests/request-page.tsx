import type { RequestEntryShape, ServiceRequestShape } from '../../../control/shapes.js'
import { duration } from '../../model/format.js'
import {
  decisionLabel,
  heldTime,
  isRefused,
  statusClass,
  statusLabel,
} from '../../model/requests/request-filter.js'
import { Instant } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { codeItems } from '../../parts/copy.js'
import { Message } from '../../parts/message.js'
import { PageHead } from '../../parts/page-head.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo, route } from '../../state/route.js'
import { control, loadVersion, recording } from '../../state/session.js'
import { BackLink, ItemPage } from '../item-page.js'

/** The details of one request. */
export function RequestPage({ id }: { readonly id: string }) {
  const found = useFetched(`request ${id}`, loadVersion.value, async () => {
    const { journal } = control.value
    const [request, repeated] = await Promise.all([journal.request(id), journal.repeat(id, { code: 'true' })])
    return { request, repeated }
  })
  const { query } = route.value
  return (
    <ItemPage
      what="request"
      view="requests"
      head={<BackLink href={linkTo({ view: 'requests', query })}>All requests</BackLink>}
      found={found}
      gone="The journal keeps the last 10,000 entries, and a reset clears it."
    >
      {({ request, repeated }) => (
        <>
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
                href={linkTo({ view: 'requests', id, query: { ...query, again: 'edit' } })}
              >
                Edit and send again
              </LinkButton>
            )}
          </div>
          <Card title="Request">
            <Message body={request.request_body} headers={request.request_headers} label="Request body">
              {whyNoBody(request)}
            </Message>
          </Card>
          <Card title="Response">
            {!request.delivered && <p class="tag">The client did not get the whole response.</p>}
            <Message body={request.response_body} headers={request.response_headers} label="Response body">
              {NO_BODY}
            </Message>
          </Card>
        </>
      )}
    </ItemPage>
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
        Received: <Instant at={at} isExact />,
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

const NO_BODY = 'No body is recorded: it is empty, a file, or longer than 16 KB.'

function whyNoBody(request: RequestEntryShape): string {
  if (request.method === 'GET' || request.method === 'HEAD') return 'The request has no body.'
  return isRefused(request)
    ? 'No body is recorded: the request was rejected before its body was read, or it has none.'
    : NO_BODY
}
