import { KINDS, kindNamed } from '../../kinds/registry.js'
import type { Expectation } from '../../scenario/model/layer.js'
import type { Learned, LearnedFailures } from '../learn/learned.js'

/** How many tasks each expectation creates. */
const REPEAT = 1_000
/** Standard errors of the simulated share. By chance, a larger deviation is rarer than one in ten thousand. */
const ERRORS = 4
const DECIMALS = 1_000

/** Expectations with the measured figures of each model, and tolerances for a simulation. */
export function expectationsOf({ models }: Learned): Expectation[] | undefined {
  const expectations = models.flatMap(({ name, kind, failures }) => {
    if (failures === undefined) return []
    const { input } = (kindNamed(kind) ?? KINDS[0]).example
    return [{ create: { model: name, input }, repeat: REPEAT, outcomes: { failed: tolerated(failures) } }]
  })
  return expectations.length === 0 ? undefined : expectations
}

/** The 95 % interval of the measured share, widened by the error of a simulation. */
function tolerated({ rate, interval: [low, high] }: LearnedFailures): { min: number; max: number } {
  const error = ERRORS * Math.sqrt((Math.max(rate, 1 / REPEAT) * (1 - rate)) / REPEAT)
  return {
    min: Math.max(0, Math.floor((Math.min(low, rate) - error) * DECIMALS) / DECIMALS),
    max: Math.min(1, Math.ceil((Math.max(high, rate) + error) * DECIMALS) / DECIMALS),
  }
}
