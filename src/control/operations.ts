import { changeClock, readClock } from './clock.js'
import { listDeliveries, readDelivery, redeliver, triggerWebhook } from './deliveries.js'
import { listDialects } from './dialects.js'
import { addObservation, readFindings } from './findings.js'
import { readJournal, streamJournal } from './journal.js'
import { readMetrics } from './metrics.js'
import type { ControlOperation } from './operation.js'
import type { ControlId } from './paths.js'
import { previewScenario } from './preview.js'
import { addReceiver, listReceivers, removeReceiver } from './receivers.js'
import { createSandbox, deleteSandbox, listSandboxes, readSandbox } from './sandboxes.js'
import { patchScenario, readScenario, replaceScenario } from './scenario.js'
import { readHealth, readState, resetSimulator } from './state.js'
import { readAnswer, readRequest } from './task-requests.js'
import { finishTask, holdTask, listTasks, readTask, readTaskFile, releaseTask } from './tasks.js'

const OPERATIONS = [
  ...[readHealth, readState, resetSimulator],
  ...[readClock, changeClock],
  ...[readScenario, previewScenario, replaceScenario, patchScenario],
  ...[listTasks, readTask, readTaskFile, finishTask, holdTask, releaseTask],
  ...[readAnswer, readRequest, listDialects],
  ...[listReceivers, addReceiver, removeReceiver],
  ...[listDeliveries, readDelivery, redeliver, triggerWebhook],
  ...[readJournal, streamJournal, readFindings, addObservation, readMetrics],
  ...[listSandboxes, createSandbox, readSandbox, deleteSandbox],
]

/** Every operation of the control API. */
export const CONTROL_OPERATIONS: ReadonlyMap<ControlId, ControlOperation> = new Map(
  OPERATIONS.map((operation) => [operation.id, operation]),
)
