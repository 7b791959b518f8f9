import type { Call } from '../../../dialects/call.js'
import { AnswerScope } from '../../../dialects/table/answers/answer-scope.js'
import { replyFrom } from '../../../dialects/table/answers/task-answer.js'
import type { PartsOperation } from '../../../dialects/table/dialect-table.generated.js'
import { PART_VALUES, PARTS_VALUES, type PartsScope } from '../../../dialects/table/operation-values.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { waitReader } from '../../../dialects/table/requests/request-values.js'
import { compileTemplate } from '../../../dialects/table/template/compile.js'
import type { JsonValue } from '../../../engine/json.js'
import { LiveTasks, type SentParts } from '../../../engine/progress/live-tasks.js'
import { isTerminal, type Task } from '../../../engine/tasks/task.js'
import type { ServiceExchange, ServiceHandler } from '../../operation.js'
import { ownTask } from '../one-task.js'

/** Answers with the parts of an output that no earlier answer contained, as soon as there is one. */
export function nextParts(
  { status = 200, answer, part: template = '{{part}}', wait }: PartsOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const read = compileTemplate<PartsScope>(answer, PARTS_VALUES)
  const readPart = compileTemplate<JsonValue>(template, PART_VALUES)
  const readWait = waitReader(wait, endpoint)
  return async (exchange) => {
    const { sent } = exchange.sim.live.by(LiveTasks)
    const task = await untilMore(ownTask(exchange), exchange, readWait(exchange), sent)
    const from = sent.of(task.id) ?? 0
    const ready = await readyParts(exchange, task, from)
    sent.set(task.id, from + ready.length)
    exchange.note.observed = [{ id: task.id, status: task.status }]
    const parts = ready.map((part) => readPart(part) ?? null)
    return replyFrom(status, read, Object.assign(new AnswerScope(endpoint, task, exchange), { parts }))
  }
}

async function untilMore(
  task: Task,
  { sim, note, request }: ServiceExchange,
  wait: number,
  sent: SentParts,
): Promise<Task> {
  note.wait = wait
  const outputs = sent.of(task.id) ?? 0
  return (
    (await sim.live.of(task.dialect)?.waits.untilNext(task.id, { outputs }, wait, request.signal)) ?? task
  )
}

/**
 * The parts of a task's output that are ready, as a client sees them: the URLs of files, or the pieces of a text. An
 * output that has no parts is itself the only one.
 * @param from the number of parts to omit
 */
export async function readyParts(
  { sim, request }: Pick<Call, 'sim' | 'request'>,
  task: Task,
  from: number,
): Promise<readonly JsonValue[]> {
  const { outputs, clock } = sim
  const now = clock.now()
  const origin = sim.publicOrigin(request.origin)
  if (outputs.isGone(task, now)) return []
  const parts = await sim.live.by(LiveTasks).progress.outputsOf(task, from)
  if (parts.length === 0 && from === 0 && isTerminal(task.status)) {
    const whole = outputs.of(task, origin, now)
    return whole === undefined ? [] : [whole]
  }
  return parts.map((part) => ('text' in part ? part.text : outputs.urlOf(task, part.file, origin, now)))
}
