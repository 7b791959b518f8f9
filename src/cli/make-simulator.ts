import type { RequestHandler } from 'msw'
import { httpUrl } from '../core/webhook/http-url.js'
import { Simulator } from '../simulator.js'
import { findScenario } from './find-scenario.js'
import { loadHandlers } from './load-handlers.js'
import { nodeTransport } from './node-transport.js'
import { chooseSeed } from './seed.js'
import type { SimulatorArguments } from './simulator-options.js'

/** A simulator, and what else the command line said about it. */
export interface MadeSimulator {
  readonly sim: Simulator
  /** The files that the scenario was made of. */
  readonly files: readonly string[]
  /** The user's handlers, where a module of them was named. */
  readonly overrides: readonly RequestHandler[] | undefined
}

/**
 * Makes the simulator that the command line asks for.
 * @throws UsageError where the scenario or the handlers cannot be found; ScenarioError with every mistake in it
 */
export async function makeSimulator(
  args: SimulatorArguments & { 'public-url'?: string | undefined },
): Promise<MadeSimulator> {
  const { scenario, files } = await findScenario(args.scenario)
  const overrides = args.handlers === undefined ? undefined : await loadHandlers(args.handlers)
  const { 'webhook-secret': webhookSecret, 'webhook-allow': webhookAllow, 'public-url': publicUrl } = args
  const seed = chooseSeed(args.seed)
  const sim = new Simulator(scenario, {
    clock: args.clock,
    speed: args.speed,
    keepTasks: args['keep-tasks'],
    transport: nodeTransport,
    receivers: args.webhook.map((url) => ({ url: httpUrl(url) ?? url })),
    ...(seed !== undefined && { seed }),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(webhookAllow !== undefined && { webhookAllow }),
    ...(publicUrl !== undefined && { publicUrl: publicUrl.replace(/\/+$/, '') }),
  })
  return { sim, files, overrides }
}
