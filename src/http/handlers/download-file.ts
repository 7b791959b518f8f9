import { filePath } from '../../engine/assets/asset.js'
import type { Access } from '../../engine/assets/outputs.js'
import type { Awaitable } from '../../engine/awaitable.js'
import { writeDuration } from '../../engine/clock/durations.js'
import { isoTime } from '../../engine/clock/instants.js'
import { partitionNote } from '../../engine/partition.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { evictionHint, Problem } from '../../exchange/problem.js'
import { SHARED } from '../files/any-origin.js'
import { fileReply } from '../files/give-file.js'
import { whyGone } from '../missing-task.js'
import type { Exchange, ServiceOperation } from '../operation.js'

const REFUSALS: Readonly<Record<Exclude<Access, 'granted' | 'expired'>, Problem>> = {
  tampered: new Problem(
    'forbidden',
    'The signature of this URL is wrong or missing. Use the URL as the task gave it.',
    { headers: SHARED },
  ),
  gone: outputGone(SHARED),
}

function urlExpired(expired: number, now: number): Problem {
  const reason = `This URL expired ${writeDuration(now - expired)} before the request, at ${isoTime(expired)}.`
  return new Problem('forbidden', 'This URL has expired. Retrieve the task again for a fresh one.', {
    headers: SHARED,
    known: { name: 'expired', reason },
  })
}

/** Rejects a request for a file after its retention. */
export function outputGone(headers: Readonly<Record<string, string>> = {}): Problem {
  const message = 'This output is no longer kept. Download outputs soon after the task has succeeded.'
  return new Problem('output_expired', message, { headers })
}

/** Answers with an output file, or a part of it, if the signed URL is valid. */
export const downloadFile: ServiceOperation = {
  id: 'files.download',
  authenticated: false,
  async run(exchange) {
    const { task, file } = await requested(exchange)
    exchange.taskId = task.id
    return withReport(exchange, file, () => checkedReply(exchange, task, file))
  },
}

/** The file in the path. */
async function requested({ sim, request, params }: Exchange): Promise<{ task: Task; file: number }> {
  const [id = '', name = ''] = params
  const task = sim.tasks.get(id)
  const file = Number.parseInt(name, 10)
  const exists = task !== undefined && file < (await readyFiles(sim, task))
  if (exists && filePath(task, file, sim.identity?.id) === request.path) return { task, file }
  const hints = partitionNote(sim) + evictionHint(sim.tasks)
  throw new Problem('not_found', `There is no such file. Use the URL as the task gave it.${hints}`, {
    headers: SHARED,
    ...(task === undefined && { known: whyGone(id, sim) }),
  })
}

/** The number of files that are ready, which may be some of those of a task that has not succeeded. */
function readyFiles({ live }: Exchange['sim'], task: Task): Awaitable<number> {
  return task.result?.files ?? live.of(task.dialect)?.progress.filesOf(task) ?? 0
}

async function checkedReply(exchange: Exchange, task: Task, file: number): Promise<Reply> {
  const { sim, request, note } = exchange
  const query = new URLSearchParams(request.query)
  const access = sim.outputs.checkAccess(task, request.path, query, sim.clock.now())
  if (access !== 'granted') {
    const expiredAt = Number(query.get('expires')) * 1_000
    note.refused = { why: access, ...(access === 'expired' && { expiredAt }) }
    throw access === 'expired' ? urlExpired(expiredAt, sim.clock.now()) : REFUSALS[access]
  }
  return fileReply(exchange, task, file, SHARED)
}

/** Reports a download, granted or not, to the journal and the findings. */
export async function withReport(
  exchange: Exchange,
  file: number,
  download: () => Promise<Reply>,
): Promise<Reply> {
  exchange.note.file = file
  exchange.note.isPart = exchange.request.header('range') !== undefined
  try {
    const reply = await download()
    reportDownload(exchange, file, reply.status, reply)
    return reply
  } catch (error) {
    reportDownload(exchange, file, error instanceof Problem ? error.status : 500)
    throw error
  }
}

function reportDownload(
  { sim, request, taskId = '' }: Exchange,
  file: number,
  status: number,
  reply?: Reply,
): void {
  const isSent = request.method === 'GET' && typeof reply?.body === 'object'
  sim.events.emit('file.downloaded', {
    taskId,
    file,
    method: request.method,
    status,
    bytes: isSent ? (reply.body?.length ?? 0) : 0,
    range: request.header('range'),
    withAuthorization: request.header('authorization') !== undefined,
    at: sim.clock.now(),
  })
}
