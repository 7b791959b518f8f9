import * as dialects from './dialects.js'
import * as exploration from './exploration.js'
import * as findings from './findings.js'
import * as bodies from './inputs.js'
import * as queries from './inputs.js'
import * as journal from './journal.js'
import * as overview from './overview.js'
import * as simulator from './simulator.js'
import * as tasks from './tasks.js'
import * as webhooks from './webhooks.js'

/** The schemas of what the control API accepts, by name. */
export const INPUT_COMPONENTS = { ...queries, ...bodies }

/** Every schema of the control API by name: the documents and the types are generated from them. */
export const CONTROL_COMPONENTS = {
  ...simulator,
  ...tasks,
  ...dialects,
  ...webhooks,
  ...journal,
  ...findings,
  ...exploration,
  ...overview,
  ...INPUT_COMPONENTS,
}
