import { callAt } from '../../client/connect.js'
import { Control } from '../../client/control.js'
import { CONTROL_URL } from './address.js'
import { token } from './token.js'

/** The control API of the server that the page came from. */
export const rootControl = new Control(callAt(CONTROL_URL, token))

/** The control API of a sandbox, or of the simulator itself. */
export function controlOf(sandbox: string | undefined): Control {
  return sandbox === undefined ? rootControl : rootControl.sandboxes.control(sandbox)
}

/** Where the control API of a sandbox is, or of the simulator itself. */
export function controlUrl(sandbox: string | undefined): string {
  return sandbox === undefined ? CONTROL_URL : `${CONTROL_URL}/sandboxes/${encodeURIComponent(sandbox)}`
}
