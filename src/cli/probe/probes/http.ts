import { bytesOf, eventFor, genuine, idFor, shotOf } from '../context.js'
import type { Echo } from '../exchange.js'
import { type Advice, isAccepted, mustAccept, mustRefuse, mustSurvive, WELL } from '../judges.js'
import { type Opinion, once, type Probe, type ProbeTools } from '../probe.js'

/** Milliseconds for a quick request beside a slow one; whoever is held up does not answer in any time. */
const PATIENCE = 1_000
const HUGE = 10 * 1024 * 1024

const CHARSET: Advice = {
  why: 'application/json; charset=utf-8 is the same type; senders and proxies may well write it so.',
  remedy: 'Compare the type without its parameters, or do not look at it.',
}

const READ_ONLY: Advice = {
  why: 'Crawlers, previews and health checks send GET; what answers with a success may take it for an event.',
  remedy: 'Answer 405 to anything but POST.',
}

const HELD_UP: Advice = {
  why: 'One slow or hostile client keeps all events from coming in; they time out, and are sent again on top.',
  remedy: 'Serve requests concurrently, and limit the time that a request may take to arrive.',
}

const SLOW_REFUSED: Advice = {
  why: 'A sender on a bad line is slow, and its event is genuine.',
  remedy: 'Give a request at least some seconds to arrive.',
}

const HUGE_TAKEN: Advice = {
  why: 'It was not even rightly signed. A few of these at once fill the memory of the receiver.',
  remedy: 'Limit the size of the body (1 MB will do), and verify the signature.',
}

const HUGE_FATAL: Advice = {
  why: 'One request that anybody can send has put the receiver out of action.',
  remedy: 'Limit the size of the body (1 MB will do) where it is read, and answer 413.',
}

/** What a server says that knows no such method at all. */
const NOT_IMPLEMENTED = 501
const refuseGet = mustRefuse(READ_ONLY, 'warning')

/** Requests that are not as HTTP clients usually make them. */
export const HTTP: readonly Probe[] = [
  typed(
    'charset',
    'Content type application/json; charset=utf-8',
    'application/json; charset=utf-8',
    '2xx',
    mustAccept(CHARSET),
  ),
  typed('wrong-type', 'Content type text/plain', 'text/plain', 'any answer but a 5xx', mustSurvive),
  {
    id: 'get',
    title: 'GET instead of POST',
    expected: 'a refusal with a 4xx or 501',
    wantsRefusal: true,
    run: once(() => ({ method: 'GET', headers: {}, body: new Uint8Array() })),
    judge: (echoes) => (echoes[0]?.status === NOT_IMPLEMENTED ? WELL : refuseGet(echoes)),
  },
  {
    id: 'slow-client',
    title: 'A client that drips its body, and an ordinary one beside it',
    expected: '2xx to the ordinary one while the slow one is at it; 2xx or 408 to the slow one',
    run: drip,
    judge: judgeDrip,
  },
  {
    id: 'huge-body',
    title: 'A body of 10 MB under a wrong signature, and a genuine event after it',
    expected: 'a refusal with a 4xx, or a cut connection; 2xx to what comes after',
    wantsRefusal: true,
    run: async (tools) => [await tools.fire(huge(tools)), await tools.fire(ordinary(tools))],
    judge: judgeHuge,
  },
]

function typed(id: string, title: string, type: string, expected: string, judge: Probe['judge']): Probe {
  const run = once(({ context, taskId }) =>
    genuine(bytesOf(eventFor('task.succeeded', taskId)), context, type),
  )
  return { id, title: `${title}, rightly signed`, expected, run, judge }
}

function ordinary({ context }: ProbeTools) {
  const id = context.taskId ?? idFor('ordinary')
  return genuine(bytesOf(eventFor('task.succeeded', id)), context)
}

async function drip(tools: ProbeTools): Promise<readonly Echo[]> {
  const { context, taskId, fire } = tools
  let quick: Promise<Echo> | undefined
  const slow = await fire({
    ...genuine(bytesOf(eventFor('task.succeeded', taskId)), context),
    drip: () => {
      quick = fire(ordinary(tools), PATIENCE)
      return quick
    },
  })
  return quick === undefined ? [slow] : [await quick, slow]
}

function judgeDrip([quick, slow]: readonly Echo[]): Opinion {
  if (quick === undefined || slow === undefined || !isAccepted(quick)) return { mark: 'error', ...HELD_UP }
  return slow.status === 408 ? WELL : mustAccept(SLOW_REFUSED, 'warning')([slow])
}

function huge({ context, taskId }: ProbeTools) {
  const task = { id: taskId, status: 'succeeded', output: { text: 'x'.repeat(HUGE) } }
  const body = bytesOf({ event: 'task.succeeded', task })
  return shotOf({ body, signature: `${context.keys.format.prefix}${'f'.repeat(64)}` }, context)
}

function judgeHuge([big, after]: readonly Echo[]): Opinion {
  if (big !== undefined && isAccepted(big)) return { mark: 'error', ...HUGE_TAKEN }
  if (after === undefined || !isAccepted(after)) return { mark: 'error', ...HUGE_FATAL }
  // Who cuts the connection has refused it as well, and more cheaply.
  return big?.status === undefined ? WELL : mustSurvive([big])
}
