import type { RequestHandler } from 'msw'
import { readKeepBytes } from '../engine/memory/keep-bytes.js'
import { httpUrl } from '../engine/webhooks/http-url.js'
import { targetPolicy } from '../engine/webhooks/target-policy.js'
import { Simulator } from '../simulator.js'
import { affordableBytes } from './affordable-bytes.js'
import { findScenario } from './find-scenario.js'
import { HandlersModule } from './handlers-module.js'
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
  /** To call when the errors of the simulator are logged: until then, those of the handlers go to stderr. */
  onLogged(): void
}

/**
 * Makes the simulator that the command line asks for.
 * @throws UsageError where the scenario or the handlers cannot be found; ScenarioError with every mistake in it
 */
export async function makeSimulator(
  args: SimulatorArguments & { 'public-url'?: string | undefined },
): Promise<MadeSimulator> {
  const { scenario, files } = await findScenario(args.scenario)
  const module = args.handlers === undefined ? undefined : new HandlersModule(args.handlers)
  const overrides = await module?.load()
  const { 'webhook-secret': webhookSecret, 'webhook-allow': webhookAllow, 'public-url': publicUrl } = args
  const seed = chooseSeed(args.seed)
  const sim = new Simulator(scenario, {
    clock: args.clock,
    speed: args.speed,
    keepTasks: args['keep-tasks'],
    keepBytes: readKeepBytes(args['keep-bytes']) ?? affordableBytes(),
    transport: nodeTransport(targetPolicy(webhookAllow)),
    receivers: args.webhook.map((url) => ({ url: httpUrl(url) ?? url })),
    ...(seed !== undefined && { seed }),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(webhookAllow !== undefined && { webhookAllow }),
    ...(publicUrl !== undefined && { publicUrl: publicUrl.replace(/\/+$/, '') }),
  })
  const onLogged = () => module?.reportTo((error) => sim.emit('error', error))
  return { sim, files, overrides, onLogged }
}
