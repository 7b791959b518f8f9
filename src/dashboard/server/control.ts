import { callAt } from '../../client/connect.js'
import { Control } from '../../client/control.js'
import { CONTROL_URL } from './address.js'
import { token } from './token.js'

/** The control API of the main simulator. */
export const rootControl = new Control(callAt(CONTROL_URL, token))

/** The control API of a sandbox or, if undefined, of the main simulator. */
export function controlOf(sandbox: string | undefined): Control {
  return sandbox === undefined ? rootControl : rootControl.sandboxes.control(sandbox)
}

/** The URL of the control API of a sandbox or, if undefined, of the main simulator. */
export function controlUrl(sandbox: string | undefined): string {
  return sandbox === undefined ? CONTROL_URL : `${CONTROL_URL}/sandboxes/${encodeURIComponent(sandbox)}`
}
