import type { Descriptions } from '../description.js'
import { DOCUMENT_OPERATIONS, RECORD_OPERATIONS } from './record-operations.js'
import { SANDBOX_OPERATIONS } from './sandbox-operations.js'
import { SIMULATOR_OPERATIONS } from './simulator-operations.js'
import { TASK_OPERATIONS } from './task-operations.js'
import { WEBHOOK_OPERATIONS } from './webhook-operations.js'

/** Every operation under `/_sim`. */
export const CONTROL_OPERATIONS: Descriptions = {
  ...SIMULATOR_OPERATIONS,
  ...TASK_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
}
