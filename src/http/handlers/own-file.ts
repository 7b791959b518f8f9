import type { FileAction } from '../../dialects/dialect.js'
import { Problem } from '../exchange/problem.js'
import { fileReply } from '../files/give-file.js'
import type { ServiceOperation } from '../operation.js'
import { reportDownload } from './download-file.js'
import { ownTask } from './one-task.js'

/** Answers with an output file of a task, to the client that created the task. */
export function ownFile(action: FileAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    async run(exchange) {
      const task = await ownTask(exchange)
      const file = action.file(exchange)
      if (!(file < (task.result?.files ?? 0)))
        throw new Problem('not_found', `The task has no output file ${file}. Wait until it has succeeded.`)
      const reply = await fileReply(exchange, task, file)
      reportDownload(exchange, file, reply.status, reply)
      return reply
    },
  }
}
