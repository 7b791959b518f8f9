import type { OperationName } from '../../engine/requests/operations.js'
import type {
  CreateReceiverOperation,
  DeleteReceiverOperation,
  DialectOperation,
  ListReceiversOperation,
  PingReceiverOperation,
  RetrieveReceiverOperation,
  RotateSecretOperation,
  UpdateReceiverOperation,
} from './dialect-table.generated.js'

/** The names of operations in scenarios, logs and documents, by what they do. */
export const NAMES = {
  create: 'tasks.create',
  retrieve: 'tasks.retrieve',
  result: 'tasks.result',
  cancel: 'tasks.cancel',
  delete: 'tasks.delete',
  list: 'tasks.list',
  stream: 'tasks.stream',
  parts: 'tasks.stream',
  file: 'files.download',
  upload: 'files.upload',
  retrieve_upload: 'files.retrieve',
  delete_upload: 'files.delete',
  list_uploads: 'files.list',
  create_receiver: 'webhooks.create',
  retrieve_receiver: 'webhooks.retrieve',
  update_receiver: 'webhooks.update',
  delete_receiver: 'webhooks.delete',
  ping_receiver: 'webhooks.ping',
  rotate_secret: 'webhooks.rotate_secret',
  list_receivers: 'webhooks.list',
  count: 'service.info',
  cancel_queued: 'tasks.cancel_queued',
  fixed: 'service.info',
} as const satisfies Readonly<Record<DialectOperation['action'], OperationName>>

/** An operation on receivers. */
export type ReceiverOperation =
  | CreateReceiverOperation
  | RetrieveReceiverOperation
  | UpdateReceiverOperation
  | DeleteReceiverOperation
  | PingReceiverOperation
  | RotateSecretOperation
  | ListReceiversOperation
