import * as dialects from './dialects.js'
import * as findings from './findings.js'
import * as inputs from './inputs.js'
import * as journal from './journal.js'
import * as simulator from './simulator.js'
import * as tasks from './tasks.js'
import * as webhooks from './webhooks.js'

/** The schemas of what the control API accepts, by name. */
export const INPUT_COMPONENTS = { ...inputs }

/** Every schema of the control API by name: the documents and the types are generated from them. */
export const CONTROL_COMPONENTS = {
  ...simulator,
  ...tasks,
  ...dialects,
  ...webhooks,
  ...journal,
  ...findings,
  ...INPUT_COMPONENTS,
}
