import * as dialects from './dialects.js'
import * as journal from './journal.js'
import * as overview from './overview.js'
import * as requests from './requests.js'
import * as simulator from './simulator.js'
import * as tasks from './tasks.js'

/** Every schema of the control API by name: the documents and the types are generated from them. */
export const CONTROL_COMPONENTS = {
  ...simulator,
  ...tasks,
  ...dialects,
  ...journal,
  ...overview,
  ...requests,
}
