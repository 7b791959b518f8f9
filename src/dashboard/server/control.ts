import { understood } from '../../client/connect.js'
import { Control } from '../../client/control.js'
import { CONTROL_URL } from './address.js'
import { token } from './token.js'

/** The control API of the server that the page came from. */
export const rootControl = new Control(async (method, path, body) => {
  const shown = token()
  const response = await fetch(CONTROL_URL + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(shown !== undefined && { authorization: `Bearer ${shown}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return understood(response.status, response.headers.get('content-type') ?? '', await response.text())
})

/** The control API of a sandbox, or of the simulator itself. */
export function controlOf(sandbox: string | undefined): Control {
  return sandbox === undefined ? rootControl : rootControl.sandboxes.control(sandbox)
}

/** Where the control API of a sandbox is, or of the simulator itself. */
export function controlUrl(sandbox: string | undefined): string {
  return sandbox === undefined ? CONTROL_URL : `${CONTROL_URL}/sandboxes/${encodeURIComponent(sandbox)}`
}
