import { changeClock, readClock } from './clock.js'
import { listDeliveries, readDelivery, redeliver, triggerWebhook } from './deliveries.js'
import { listDialects, writeRequest } from './dialects/dialects.js'
import { beginRun, listPlaces } from './exploration.js'
import { addObservation, readFindings } from './findings.js'
import { exportHar } from './journal/har.js'
import { readJournal } from './journal/journal.js'
import { exportRequests, readAnsweredRequest, repeatRequest } from './journal/requests.js'
import { streamJournal } from './journal/stream.js'
import { readMetrics } from './metrics.js'
import type { ControlOperation } from './operation.js'
import { readOverview } from './overview/overview.js'
import type { ControlId } from './paths.js'
import { previewScenario } from './preview/preview.js'
import { addReceiver, listReceivers, removeReceiver } from './receivers.js'
import { createSandbox, deleteSandbox, listSandboxes, readSandbox } from './sandboxes.js'
import { patchScenario, readScenario, readShippedScenario, replaceScenario } from './scenario.js'
import { exportState, importState, readHealth, readReadiness, readState, resetSimulator } from './state.js'
import {
  finishTask,
  holdTask,
  listTasks,
  readAnswer,
  readRequest,
  readTask,
  readTaskFile,
  releaseTask,
} from './tasks/tasks.js'
import { readUpcoming } from './upcoming.js'
import { testOfFinding, testOfRequest, testOfTask } from './written-tests/written-tests.js'

const OPERATIONS = [
  ...[readHealth, readReadiness, readState, exportState, importState, resetSimulator],
  ...[readClock, changeClock, readUpcoming],
  ...[readScenario, readShippedScenario, previewScenario, replaceScenario, patchScenario],
  ...[listTasks, readTask, readTaskFile, finishTask, holdTask, releaseTask],
  ...[readAnswer, readRequest, listDialects, writeRequest],
  ...[testOfTask, testOfRequest, testOfFinding],
  ...[listReceivers, addReceiver, removeReceiver],
  ...[listDeliveries, readDelivery, redeliver, triggerWebhook],
  ...[readJournal, exportHar, exportRequests, readAnsweredRequest, repeatRequest, streamJournal],
  ...[readFindings, addObservation, listPlaces, beginRun, readMetrics, readOverview],
  ...[listSandboxes, createSandbox, readSandbox, deleteSandbox],
]

/** Every operation of the control API. */
export const CONTROL_OPERATIONS: ReadonlyMap<ControlId, ControlOperation> = new Map(
  OPERATIONS.map((operation) => [operation.id, operation]),
)
