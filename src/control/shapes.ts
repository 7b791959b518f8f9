/** What the control API answers with, as JSON; instants are ISO 8601 UTC. */

export type * from './delivery-shapes.js'
export type * from './journal-shapes.js'
export type * from './simulator-shapes.js'
export type * from './verdict-shapes.js'
