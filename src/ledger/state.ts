import type { SimulatorParts } from '../simulator/simulator-parts.js'
import { counterPart } from './parts/counters.js'
import { deliveryParts, deliveryTallyPart } from './parts/deliveries.js'
import { journalPart } from './parts/journal.js'
import { metaPart, type Resumption, requestCountPart } from './parts/meta.js'
import { occurrencePart } from './parts/occurrences.js'
import { receiverPart, registrationCountPart } from './parts/receivers.js'
import { accountPart, faultPart, limitPart } from './parts/requests.js'
import { scenarioPart } from './parts/scenario.js'
import { tablePart } from './parts/table-part.js'
import { taskParts } from './parts/tasks.js'
import { uploadParts } from './parts/uploads.js'
import type { StatePart } from './state-part.js'

/** All parts of the state of a simulator, in the order in which they are restored. */
export function stateParts(
  parts: SimulatorParts,
  resumption: Resumption = 'as-if-running',
): readonly StatePart[] {
  return [
    metaPart(parts, resumption),
    scenarioPart(parts),
    requestCountPart(parts),
    accountPart(parts),
    limitPart(parts),
    faultPart(parts),
    tablePart(parts, { kind: 'webhook fault count', tables: () => parts.webhooks.faults.counts }),
    ...uploadParts(parts),
    receiverPart(parts),
    registrationCountPart(parts),
    occurrencePart(parts),
    ...taskParts(parts),
    ...deliveryParts(parts),
    deliveryTallyPart(parts),
    counterPart(parts),
    journalPart(parts),
  ]
}
