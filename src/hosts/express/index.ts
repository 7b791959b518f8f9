export type { LedgerOptions } from '../../ledger/open-ledger.js'
export { createApp } from './app.js'
export type { AppOptions, OverrideHandler, SimulatorApp } from './app-options.js'
export { type ListenOptions, listen, type RunningServer } from './listen.js'
