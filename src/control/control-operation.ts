import type { Operation } from '../http/operation.js'

/**
 * An operation of the control API. Most clients need none, and a browser would load them for nothing: so all of them
 * come with the first one that is used.
 */
export function controlOperation(id: `sim.${string}`): Operation {
  return {
    id,
    authenticated: false,
    async run(exchange) {
      const { CONTROL_OPERATIONS } = await import('./operations.js')
      const operation = CONTROL_OPERATIONS.get(id)
      if (operation === undefined) throw new Error(`There is no control operation ${id}.`)
      return operation.run(exchange)
    },
  }
}
