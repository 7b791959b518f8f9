import { createCall } from '../../client/connect.js'
import { Control } from '../../client/control.js'
import { token } from './token.js'

/** The path of the control API, which is the path of the page. */
const PATH = location.pathname.replace(/\/(?:index\.html)?$/, '')

/** The URL of the control API. */
const CONTROL_URL = location.origin + PATH

/** The page that describes the service and the control API. */
export const REFERENCE_URL = `${CONTROL_URL}/docs`

/** The JSON Schema of scenarios. */
export const SCENARIO_SCHEMA_URL = `${CONTROL_URL}/scenario.schema.json`

/** The start of the base URL for clients of the simulated service. */
export const SERVICE_URL = CONTROL_URL.replace(/\/_sim$/, '')

/** The control API of the main simulator. */
export const rootControl = new Control(createCall(CONTROL_URL, token))

/** The control API of a sandbox or, if undefined, of the main simulator. */
export function controlOf(sandbox: string | undefined): Control {
  return sandbox === undefined ? rootControl : rootControl.sandboxes.control(sandbox)
}

/** The URL of the control API of a sandbox or, if undefined, of the main simulator. */
export function controlUrl(sandbox: string | undefined): string {
  return sandbox === undefined ? CONTROL_URL : `${CONTROL_URL}/sandboxes/${encodeURIComponent(sandbox)}`
}
