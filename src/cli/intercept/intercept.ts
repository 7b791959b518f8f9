import type { Dialects } from '../../dialects/dialects.js'
import type { AppOptions } from '../../hosts/express/app-options.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type InterceptArguments, interceptedServices } from '../options/intercept-options.js'
import { Interception } from './interception.js'
import { Interceptor } from './interceptor.js'
import { ServiceHosts } from './service-hosts.js'

/** A day, because no command that ends by itself runs longer. */
const DAYS = 1

/**
 * Prepares to intercept the requests of programs for the hosts of services.
 * @param dialects those of the simulator
 * @param days how long programs trust the certificate
 * @throws UsageError if a service does not exist, or has no hosts
 */
export async function openInterception(
  dialects: Dialects,
  args: InterceptArguments,
  days = DAYS,
): Promise<Interception> {
  const hosts = await ServiceHosts.load(dialects, interceptedServices(args) ?? [])
  return new Interception({ hosts, allowed: args['intercept-allow'], env: process.env, days })
}

/** An interceptor, and what only it uses. */
export interface RunningInterception {
  readonly interception: Interception
  readonly interceptor: Interceptor
  close(): Promise<void>
}

/**
 * Intercepts the requests of programs for one simulator.
 * @throws as {@link openInterception}
 */
export async function intercept(
  sim: Simulator,
  args: InterceptArguments,
  options: Pick<AppOptions, 'overrides' | 'cors'>,
  days?: number,
): Promise<RunningInterception> {
  const interception = await openInterception(sim.dialects, args, days)
  const interceptor = await Interceptor.listen(sim, interception, options)
  return {
    interception,
    interceptor,
    async close() {
      await interceptor.close()
      interception.close()
    },
  }
}
