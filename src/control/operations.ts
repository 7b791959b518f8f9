import type { Operation } from '../http/operation.js'
import { readClock } from './clock/read-clock.js'
import { turnClock } from './clock/turn-clock.js'
import { readJournal } from './journal/read-journal.js'
import { streamJournal } from './journal/stream-journal.js'
import { observe } from './observe.js'
import { previewScenario } from './preview/preview-scenario.js'
import { readFindings } from './read-findings.js'
import { readMetrics } from './read-metrics.js'
import { readHealth, readState } from './read-state.js'
import { resetSimulator } from './reset.js'
import { createSandbox, deleteSandbox, listSandboxes, readSandbox } from './sandboxes/sandboxes.js'
import { patchScenario, readScenario, replaceScenario } from './scenario/scenario.js'
import { listAllTasks } from './tasks/list-tasks.js'
import { finishTask, holdTask, readTask, releaseTask } from './tasks/one-task.js'
import { readTaskFile } from './tasks/task-file.js'
import { listDeliveries, readDelivery, redeliver } from './webhooks/deliveries.js'
import { addReceiver, listReceivers, removeReceiver } from './webhooks/receivers.js'
import { triggerWebhook } from './webhooks/trigger.js'

/** What stands under /_sim, by id: loaded as one, with the first request for any of it. */
export const CONTROL_OPERATIONS: ReadonlyMap<Operation['id'], Operation> = new Map(
  [
    readClock,
    turnClock,
    readJournal,
    streamJournal,
    observe,
    previewScenario,
    readFindings,
    readMetrics,
    readHealth,
    readState,
    resetSimulator,
    createSandbox,
    deleteSandbox,
    listSandboxes,
    readSandbox,
    patchScenario,
    readScenario,
    replaceScenario,
    listAllTasks,
    finishTask,
    holdTask,
    readTask,
    releaseTask,
    readTaskFile,
    listDeliveries,
    readDelivery,
    redeliver,
    addReceiver,
    listReceivers,
    removeReceiver,
    triggerWebhook,
  ].map((operation) => [operation.id, operation]),
)
