import type { DialectShape, NewRequest, WrittenRequestShape } from '../../control/shapes.js'
import type { Call } from '../call.js'

/** The wire formats that the simulator speaks. */
export type DialectsControl = ReturnType<typeof dialectsControl>

/** Creates the functions for the dialects. */
export function dialectsControl(call: Call) {
  return {
    /** Lists all dialects, with their webhooks and an example of a request. */
    list: async () => (await call<{ data: DialectShape[] }>('GET', '/dialects')).data,
    /** Writes a request that creates a task, and its code. Sends nothing. */
    write: (request: NewRequest = {}) => call<WrittenRequestShape>('POST', '/requests', request),
  }
}
