import { describe } from 'vitest'
import { createSimulator, type ScenarioInput } from '../../../src/index.js'
import { sampleOf } from '../../support/deep.js'
import {
  type AnyClient,
  type ClientOptions,
  HOSTS,
  type Host,
  OWN_DIALECTS,
  openClient,
} from './any-client.js'

/** A dialect on a host. */
interface Pair {
  readonly name: string
  readonly host: Host
}

/** All dialects on both hosts, with one of a user. */
const PAIRS: readonly Pair[] = createSimulator({ dialects: OWN_DIALECTS })
  .dialects.names.flatMap((name) => HOSTS.map((host) => ({ name, host })))
  .reverse()

/** Opens a client of the pair that is tested. */
export type Open = (scenario?: ScenarioInput, options?: ClientOptions) => Promise<AnyClient>

/** Runs the same tests for all dialects on both hosts, and in `npm test` for a few of these pairs. */
export function describePairs(title: string, tests: (open: Open, pair: Pair) => void): void {
  describe.each(sampleOf(2, PAIRS))(`${title} in the dialect $name on $host.name`, (pair) =>
    tests(
      (scenario, options) => openClient(pair.host, pair.name, { ...options, ...(scenario && { scenario }) }),
      pair,
    ),
  )
}
