export type { LedgerOptions } from '../../ledger/open-ledger.js'
export type { AppOptions, OverrideHandler, SimulatorApp } from './app-options.js'
export { createApp } from './create-app.js'
export { type ListenOptions, listen, type RunningServer } from './listen.js'
