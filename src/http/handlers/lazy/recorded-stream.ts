import { yieldToEventLoop } from '../../../engine/awaitable.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Reply } from '../../../exchange/exchange.js'
import type { Simulator } from '../../../simulator/simulator.js'
import type { ServiceExchange } from '../../operation.js'
import { viewOf } from '../../recorded-answer.js'
import { streamReply } from './stream-reply.js'
import type { StreamWriter } from './stream-writer.js'

type Pieces = readonly (readonly [at: number, text: string])[]

/**
 * Answers with the pieces of a recorded stream, each at its time.
 * @returns undefined if none was recorded, or if the client resumes a stream
 */
export function recordedStreamOf(
  writer: StreamWriter,
  exchange: ServiceExchange,
  task: Task,
): Reply | undefined {
  const { dialect, operation, route } = exchange
  if (writer.resumesAfter(exchange) >= 0) return undefined
  const view = viewOf(task, exchange, dialect)
  const recorded = task.plan.recorded?.stream(operation.id, route?.path ?? '', view)
  if (recorded === undefined) return undefined
  const { contentType, pieces } = recorded
  return streamReply({
    contentType,
    headers: writer.headers(task, exchange),
    texts: (signal) => inTime(pieces, task, exchange, signal),
    expected: () => pieces.length,
  })
}

async function* inTime(
  pieces: Pieces,
  { id }: Task,
  { sim, note }: ServiceExchange,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  for (const [at, text] of pieces) {
    await passed(sim, at - sim.clock.now(), signal)
    // A reset ends the waits and deletes the task.
    if (signal.aborted || sim.tasks.get(id) === undefined) return
    yield text
  }
  const status = sim.tasks.get(id)?.status
  if (status !== undefined) note.observed = [{ id, status }]
}

/** Waits on the clock. An advance goes on after the client has received what waits for that time. */
async function passed(sim: Simulator, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return
  const cancel = sim.time.startTimer(milliseconds, yieldToEventLoop)
  await sim.time.pause(milliseconds, signal)
  cancel()
}
