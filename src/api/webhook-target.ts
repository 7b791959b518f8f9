import type { Simulator } from '../simulator.js'
import { Problem } from './problem.js'

/**
 * Lets a webhook target pass.
 * @throws Problem 400 where webhooks may not go there
 */
export function checkTarget(sim: Simulator, param: string, url: string): void {
  if (sim.mayCall(url)) return
  const message = `The field \`${param}\`: webhooks may not go to ${url.slice(0, 200)}. Allow it with --webhook-allow.`
  throw new Problem('invalid_request', message, { param })
}
