import { bodyOf, mainEventOf, paddedBody, signed, taskIdFor, webhookOf } from '../events.js'
import {
  type Advice,
  type Assessment,
  isAccepted,
  mustAccept,
  mustReject,
  mustSurvive,
  once,
  PASSED,
  type Probe,
  type ProbeContext,
  type ProbeTools,
} from '../probe.js'
import type { ProbeRequest, ProbeResponse } from '../send-request.js'
import { genuineProbe } from './genuine.js'
import { withSignature, wordFor } from './signatures.js'

/** Maximum milliseconds for the response to the normal client while the slow client is sending. */
const NORMAL_TIMEOUT = 1_000
const HUGE_BYTES = 10 * 1024 * 1024

const CHARSET: Advice = {
  why: 'application/json; charset=utf-8 is the same type, and senders and proxies may use it.',
  remedy: 'Compare the type without its parameters, or ignore it.',
}

const READ_ONLY: Advice = {
  why: 'Crawlers, link previews and health checks send GET. A receiver that answers with a success may have processed it as an event.',
  remedy: 'Answer 405 to anything but POST.',
}

const BLOCKED: Advice = {
  why: 'One slow or hostile client blocks all events. They time out, and the retries add more load.',
  remedy: 'Serve requests concurrently, and set a timeout for receiving a request.',
}

const SLOW_REJECTED: Advice = {
  why: 'A sender with a slow connection may send a genuine event.',
  remedy: 'Allow a request several seconds to arrive.',
}

const HUGE_ACCEPTED: Advice = {
  why: 'Anyone can send it. A few such requests at once fill the memory of the receiver.',
  remedy: 'Limit the size of the body (1 MB is enough), and verify the signature if there is one.',
}

const HUGE_CRASH: Advice = {
  why: 'A single request, which anyone can send, stopped the receiver.',
  remedy: 'Limit the size of the body (1 MB is enough) while reading it, and answer 413.',
}

/** The status of a server that does not implement a method. */
const NOT_IMPLEMENTED = 501
const rejectGet = mustReject(READ_ONLY, 'warning')

/** Unusual HTTP requests. */
export function httpProbes(context: ProbeContext): readonly Probe[] {
  const forged = context.rule ? ` with a wrong ${wordFor(context.rule)}` : ''
  return [
    withType(context, 'charset', 'application/json; charset=utf-8', mustAccept(CHARSET)),
    { ...withType(context, 'wrong-type', 'text/plain', mustSurvive), expected: 'any response except 5xx' },
    {
      id: 'get',
      title: 'GET instead of POST',
      expected: 'a rejection with 4xx or 501',
      expectsRejection: true,
      run: once(() => ({ method: 'GET', headers: {}, body: new Uint8Array() })),
      assess: (responses) => (responses[0]?.status === NOT_IMPLEMENTED ? PASSED : rejectGet(responses)),
    },
    {
      id: 'slow-client',
      title: 'A client that sends its body slowly, and a normal client at the same time',
      expected: '2xx for the normal client while the slow one is sending; 2xx or 408 for the slow one',
      run: runSlowClient,
      assess: assessSlowClient,
    },
    {
      id: 'huge-body',
      title: `A body of 10 MB${forged}, then a genuine event`,
      expected: 'a rejection with 4xx or a closed connection, then 2xx',
      expectsRejection: true,
      run: async (tools) => [
        await tools.send(await hugeRequest(tools)),
        await tools.send(await normalRequest(tools)),
      ],
      assess: assessHuge,
    },
  ]
}

function withType(context: ProbeContext, id: string, type: string, assess: Probe['assess']): Probe {
  return genuineProbe(context, id, `Content type ${type}`, assess, (tools) =>
    signed(webhookOf(tools), tools, { type }),
  )
}

/** A genuine event of another task, while the probe sends its own. */
function normalRequest(tools: ProbeTools): Promise<ProbeRequest> {
  const id = 'ordinary'
  return signed(webhookOf({ ...tools, id, taskId: taskIdFor(id, tools) }), tools)
}

async function runSlowClient(tools: ProbeTools): Promise<readonly ProbeResponse[]> {
  let normal: Promise<ProbeResponse> | undefined
  const other = await normalRequest(tools)
  const slow = await tools.send({
    ...(await signed(webhookOf(tools), tools)),
    afterFirstHalf: () => {
      normal = tools.send(other, NORMAL_TIMEOUT)
      return normal
    },
  })
  return normal === undefined ? [slow] : [await normal, slow]
}

function assessSlowClient([normal, slow]: readonly ProbeResponse[]): Assessment {
  if (normal === undefined || slow === undefined || !isAccepted(normal)) return { mark: 'error', ...BLOCKED }
  return slow.status === 408 ? PASSED : mustAccept(SLOW_REJECTED, 'warning')([slow])
}

/** An event of 10 MB, with a wrong signature if the service signs. */
function hugeRequest(tools: ProbeTools): Promise<ProbeRequest> {
  const { context, taskId } = tools
  const event = mainEventOf(context)
  const webhook = webhookOf(tools, event, paddedBody(bodyOf(event, taskId, context), HUGE_BYTES))
  if (context.rule === undefined) return signed(webhook, tools)
  return withSignature(tools, context.rule, (correct) => correct.replace(/./gs, 'f'), webhook)
}

function assessHuge([big, after]: readonly ProbeResponse[]): Assessment {
  if (big !== undefined && isAccepted(big)) return { mark: 'error', ...HUGE_ACCEPTED }
  if (after === undefined || !isAccepted(after)) return { mark: 'error', ...HUGE_CRASH }
  // A receiver that closes the connection has rejected the body as well.
  return big?.status === undefined ? PASSED : mustSurvive([big])
}
