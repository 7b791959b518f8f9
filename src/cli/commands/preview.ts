import type { ArgumentsCamelCase } from 'yargs'
import { modelsOf } from '../../api/control/preview/models-of.js'
import { previewShape } from '../../api/control/preview/preview-shape.js'
import { type Sample, takeSample } from '../../api/control/preview/sample.js'
import { readDuration } from '../../core/time/durations.js'
import { misuse } from '../explain.js'
import { findScenario } from '../find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { flush, print } from '../output.js'
import { toText } from '../preview/figures.js'
import { progressBar } from '../preview/progress-bar.js'
import { chooseSeed } from '../seed.js'

interface PreviewArguments {
  scenario: string
  tasks: number
  model: string[]
  every: string
  seed: string | undefined
  json: boolean
}

/** Shows what a scenario will do to a client, before a client meets it. */
export const previewCommand: LazyCommand<PreviewArguments> = {
  builder: (yargs) =>
    yargs
      .positional('scenario', {
        type: 'string',
        demandOption: true,
        describe: 'A path, or the name of a shipped one',
      })
      .option('tasks', {
        type: 'number',
        requiresArg: true,
        default: 100_000,
        describe: 'How many tasks of each model to run',
      })
      .option('model', {
        type: 'string',
        array: true,
        default: [],
        describe: "Model to run; the scenario's own unless given",
      })
      .option('every', { type: 'string', default: '1s', describe: 'Time between one task and the next' })
      .option('seed', {
        type: 'string',
        describe: "Seed of all chance, instead of the scenario's; random picks one",
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 preview realistic --tasks 1000', 'A thousand tasks of each kind'),
  handler: preview,
}

async function preview(args: ArgumentsCamelCase<PreviewArguments>): Promise<void> {
  const { tasks, json } = args
  const every = readDuration(args.every)
  if (every === undefined) throw misuse('--every must be a duration such as 250ms or 3s.')
  if (!(Number.isInteger(tasks) && tasks >= 1 && tasks <= 10_000_000)) {
    throw misuse('--tasks must be a whole number from 1 to 10000000.')
  }
  const { scenario } = await findScenario(args.scenario)
  const models = args.model.length > 0 ? args.model : modelsOf(scenario)
  const seed = chooseSeed(args.seed)
  const show = progressBar(tasks * models.length)
  const samples: Sample[] = []
  for (const [index, model] of models.entries()) {
    const onProgress = (made: number) => show(index * tasks + made)
    samples.push(await takeSample(scenario, { model, tasks, every, seed, onProgress }))
  }
  if (json) print(JSON.stringify(samples.map(previewShape), null, 2))
  else for (const sample of samples) print(toText(sample))
  flush()
}
