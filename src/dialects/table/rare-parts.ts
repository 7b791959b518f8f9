import { LiveTasks } from '../../engine/progress/live-tasks.js'
import type { Action } from '../action.js'
import type { Dialect } from '../dialect.js'
import { fixedAction } from './actions/fixed-action.js'
import { groupAction } from './actions/group-actions.js'
import { receiverAction } from './actions/receivers/receiver-actions.js'
import { resultAction } from './actions/result-action.js'
import { partsAction } from './actions/streams/parts-action.js'
import { streamAction } from './actions/streams/stream-action.js'
import { deleteAction, fileAction } from './actions/task-actions.js'
import { listUploadsAction, oneUploadAction, uploadAction } from './actions/uploads/upload-actions.js'
import type { DialectTable } from './model/dialect-table.js'
import type { TableOperation } from './model/operation-table.js'
import type { OperationPlace } from './requests/operation-place.js'

/** The actions that the main dialect does not have. */
type RareOperation = Exclude<TableOperation, { action: 'create' | 'retrieve' | 'cancel' | 'list' }>

/** What the main dialect does not need: it is loaded with the first other dialect, so that a page starts with less. */
export const RARE_PARTS = { actionOf, liveTasks: LiveTasks }
/** The type of {@link RARE_PARTS}. */
export type RareParts = typeof RARE_PARTS

function actionOf(
  table: DialectTable,
  operation: RareOperation,
  place: OperationPlace,
  webhooks: Dialect['webhooks'],
): Action {
  switch (operation.action) {
    case 'result':
      return resultAction(table, operation, place)
    case 'delete':
      return deleteAction(table, operation, place)
    case 'stream':
      return streamAction(table, operation, place)
    case 'parts':
      return partsAction(table, operation, place)
    case 'file':
      return fileAction(table, operation, place)
    case 'upload':
      return uploadAction(table, operation, place)
    case 'retrieve_upload':
    case 'delete_upload':
      return oneUploadAction(table, operation, place)
    case 'list_uploads':
      return listUploadsAction(table, operation, place)
    case 'create_receiver':
    case 'retrieve_receiver':
    case 'update_receiver':
    case 'delete_receiver':
    case 'ping_receiver':
    case 'rotate_secret':
    case 'list_receivers':
      return receiverAction(table, operation, place)
    case 'count':
    case 'cancel_queued':
      return groupAction(operation, place, table.name)
    case 'fixed':
      return fixedAction(operation, place, webhooks)
  }
}
