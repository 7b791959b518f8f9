import type { DialectOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import type { ServiceHandler } from '../../operation.js'
import { keepUpload, listUploads, oneUpload } from '../../uploads/own-uploads.js'
import { deleteTask } from './delete-task.js'
import { fixedAnswer } from './fixed-answer.js'
import { listTasks } from './list-tasks.js'
import { ownFile } from './own-file.js'
import { aboutReceivers } from './receivers.js'
import { cancelQueuedTasks, countOfTasks } from './task-groups.js'
import { nextParts } from './task-parts.js'
import { taskResult } from './task-result.js'
import { taskStream } from './task-stream.js'

/** An operation in a dialect file whose handler is loaded on first use. */
export type LazyOperation = DistributedOmit<
  Exclude<DialectOperation, { action: 'create' | 'retrieve' | 'cancel' }>,
  'method' | 'path' | 'object'
>

type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/** Compiles an operation that few requests call into the function that answers them. */
export function compileLazy(operation: LazyOperation, endpoint: Endpoint): ServiceHandler {
  switch (operation.action) {
    case 'result':
      return taskResult(operation, endpoint)
    case 'delete':
      return deleteTask(operation, endpoint)
    case 'list':
      return listTasks(operation, endpoint)
    case 'stream':
      return taskStream(operation, endpoint)
    case 'parts':
      return nextParts(operation, endpoint)
    case 'file':
      return ownFile(operation, endpoint)
    case 'upload':
      return keepUpload(operation, endpoint)
    case 'retrieve_upload':
    case 'delete_upload':
      return oneUpload(operation, endpoint)
    case 'list_uploads':
      return listUploads(operation, endpoint)
    case 'create_receiver':
    case 'retrieve_receiver':
    case 'update_receiver':
    case 'delete_receiver':
    case 'ping_receiver':
    case 'rotate_secret':
    case 'list_receivers':
      return aboutReceivers(operation, endpoint)
    case 'count':
      return countOfTasks(operation, endpoint)
    case 'cancel_queued':
      return cancelQueuedTasks(operation, endpoint)
    case 'fixed':
      return fixedAnswer(operation, endpoint)
  }
}
