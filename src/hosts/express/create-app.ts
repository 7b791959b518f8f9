import { checkOptionNames, checkSimulator, type OptionNames } from '../../engine/errors.js'
import type { Simulator } from '../../simulator/simulator.js'
import { buildApp } from './app.js'
import type { AppOptions, SimulatorApp } from './app-options.js'

const APP_OPTIONS: OptionNames<AppOptions> = {
  overrides: true,
  control: true,
  allowHosts: true,
  cors: true,
}

/**
 * The simulated service as an Express app: use it as a server, or mount it in another app. A mounted app passes paths
 * outside of the API to the next handler.
 * @throws UsageError if an option is unknown, or an origin of `cors` is not a URL
 * @example
 * express().use('/fake-ai', createApp(sim)).listen(3000)
 */
export function createApp(sim: Simulator, options: AppOptions = {}): SimulatorApp {
  checkSimulator('createApp', sim)
  checkOptionNames('createApp', options, APP_OPTIONS)
  return buildApp(sim, options)
}
