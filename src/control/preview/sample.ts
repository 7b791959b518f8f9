import type { Scenario } from '../../scenario/model/scenario.js'
import { foreseeSample } from './foresee-sample.js'
import type { SampleOptions } from './sample-options.js'
import { simulateSample } from './simulate-sample.js'
import type { Sample } from './totals.js'

/**
 * Sends create requests for one model with one API key and different inputs, on a manual clock, and runs the tasks to
 * their ends. Renders no media, because nothing downloads them.
 * @throws OverBudgetError if the tasks exceed the memory budget; the reason of the signal if it is aborted
 */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  return (await foreseeSample(scenario, options)) ?? (await simulateSample(scenario, options))
}
