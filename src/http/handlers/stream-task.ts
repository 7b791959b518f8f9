import type { StreamAction } from '../../dialects/action.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import type { Seen } from '../../engine/progress/task-progress.js'
import { isTerminal, type Status, type Task } from '../../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'
import { expectedParts, readyParts } from './task-parts.js'

/** How long a stream waits before it looks at its task again, in milliseconds on the simulator's clock. */
const WAIT = 60_000
/** The same for a task that ends at a poll: a stream polls once in this time. */
const WAIT_BETWEEN_POLLS = 1_000

const encoder = new TextEncoder()

/** Answers with the events of a task, one piece for each, until the task has ended or the client disconnects. */
export async function streamOf(action: StreamAction, exchange: ServiceExchange, task: Task): Promise<Reply> {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...action.headers(task, exchange),
    },
    body: undefined,
    transmission: {
      pieces: untilReturn((signal) => eventsOf(action, exchange, task, signal)),
      isWhole: true,
      isEndless: true,
      expected: (await expectedParts(exchange, task)) + 1,
    },
  }
}

async function* eventsOf(
  action: StreamAction,
  exchange: ServiceExchange,
  first: Task,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { sim, note } = exchange
  const wait = 'polls' in first.plan.end ? WAIT_BETWEEN_POLLS : WAIT
  const { progress, waits } = sim.live.by(LiveTasks)
  const hasLogs = action.hasLogs(exchange)
  let index = 0
  let status: Status | undefined
  let lines = 0
  for (let task: Task | undefined = first; task !== undefined; ) {
    const logs = hasLogs ? progress.logsOf(task).slice(lines) : []
    if (isTerminal(task.status)) {
      yield* parts(task)
      note.observed = [{ id: task.id, status: task.status }]
      yield encoder.encode(action.end(index, task, exchange, logs))
      return
    }
    if (action.hasChanges && (status !== task.status || logs.length > 0))
      yield encoder.encode(action.change(task, exchange, logs))
    yield* parts(task)
    status = task.status
    lines += logs.length
    task = await waits.untilNext(task.id, seen(), wait, signal)
    if (signal.aborted) return
  }

  async function* parts(task: Task): AsyncGenerator<Uint8Array, void> {
    if (!action.hasParts) return
    const ready = await readyParts(exchange, task, index)
    if (ready.length === 0) return
    const result = task.result ?? (await progress.partialResultOf(task))
    for (const part of ready) yield encoder.encode(action.part(part, index++, { ...task, result }, exchange))
  }

  function seen(): Seen {
    return {
      ...(action.hasParts && { outputs: index }),
      ...(action.hasChanges && { status }),
      ...(hasLogs && { logs: lines }),
    }
  }
}

/** Pieces whose source learns at once that nobody reads them any more, even while it waits for the next one. */
function untilReturn(
  source: (signal: AbortSignal) => AsyncGenerator<Uint8Array, void>,
): AsyncIterableIterator<Uint8Array, void> {
  const left = new AbortController()
  const pieces = source(left.signal)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => pieces.next(),
    return() {
      left.abort()
      return pieces.return()
    },
  }
}
