import type { FileAction } from '../../dialects/action.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { fileReply } from '../files/give-file.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { outputGone, withReport } from './download-file.js'
import { ownTask } from './one-task.js'

/** Answers with an output file of a task, to the client that created the task. */
export function ownFile(action: FileAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    async run(exchange) {
      const task = await ownTask(exchange)
      action.checkTask?.(task, exchange)
      const file = action.file(exchange)
      return withReport(exchange, file, () => checkedReply(exchange, task, file))
    },
  }
}

async function checkedReply(exchange: ServiceExchange, task: Task, file: number): Promise<Reply> {
  const { sim } = exchange
  if (!(file < (task.result?.files ?? 0)))
    throw new Problem('not_found', `The task has no output file ${file}. Wait until it has succeeded.`)
  if (sim.outputs.isGone(task, sim.clock.now())) throw outputGone()
  return fileReply(exchange, task, file)
}
