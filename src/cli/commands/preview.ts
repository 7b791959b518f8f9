import type { ArgumentsCamelCase } from 'yargs'
import { modelsOf, notSampled } from '../../control/preview/coverage.js'
import { takeSample } from '../../control/preview/sample.js'
import { previewShape, type Sample } from '../../control/preview/totals.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import type { Expectation } from '../../engine/scenario/layer.js'
import type { Scenario } from '../../engine/scenario/scenario.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { repeatable } from '../options/repeatable.js'
import { chooseSeed, seedOption } from '../options/seed-option.js'
import { flush, print } from '../output.js'
import { LEGEND, toText } from '../preview/figures.js'
import { showProgress } from '../progress.js'

interface PreviewArguments {
  scenario: string
  tasks: number | undefined
  model: string[]
  every: string
  seed: string | undefined
  json: boolean
}

const MAX_TASKS = 10_000_000
/** The default number of requests, in total and for each model, so that a preview takes about a second. */
const DEFAULT_REQUESTS = { total: 5_000, max: 1_000, min: 100 }

/** Shows the outcomes, errors, times and costs of a scenario. */
export const previewCommand: LazyCommand<PreviewArguments> = {
  builder: (yargs) =>
    yargs
      .positional('scenario', {
        type: 'string',
        demandOption: true,
        describe: 'Path of a scenario file or a recording, or name of a shipped scenario',
      })
      .option('tasks', {
        type: 'number',
        requiresArg: true,
        defaultDescription: '1000, fewer for more than 5 models',
        describe: 'Number of create requests for each model',
      })
      .option('model', {
        ...repeatable,
        default: [] as string[],
        defaultDescription: 'models of the scenario',
        describe: 'Model to run',
      })
      .option('every', { type: 'string', default: '1s', describe: 'Time between create requests' })
      .option('seed', seedOption)
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 preview realistic --tasks 1000', 'Send 1,000 requests for each model')
      .example('$0 preview realistic --tasks 100000', 'Narrow the confidence intervals, in half a minute'),
  handler: preview,
}

async function preview(args: ArgumentsCamelCase<PreviewArguments>): Promise<void> {
  const every = readDuration(args.every)
  if (every === undefined)
    throw new CommandLineError(`--every must be ${DURATION_FORM}; got ${JSON.stringify(args.every)}.`)
  if (
    args.tasks !== undefined &&
    !(Number.isInteger(args.tasks) && args.tasks >= 1 && args.tasks <= MAX_TASKS)
  ) {
    throw new CommandLineError(
      `--tasks must be a whole number from 1 to ${MAX_TASKS.toLocaleString('en')}; got ${args.tasks}.`,
    )
  }
  const { scenario } = await findScenario(args.scenario)
  const models = args.model.length > 0 ? args.model : modelsOf(scenario)
  const { tasks = defaultTasks(models.length) } = args
  const seed = args.seed === undefined ? undefined : chooseSeed(args.seed)
  const show = showProgress({ command: 'preview', total: tasks * models.length, unit: 'requests sent' })
  const samples: Sample[] = []
  for (const [index, model] of models.entries()) {
    const onProgress = (sent: number) => show(index * tasks + sent)
    samples.push(await takeSample(scenario, { model, tasks, every, seed, onProgress }))
  }
  const excluded = notSampled(scenario)
  if (args.json)
    print(
      JSON.stringify(
        samples.map((sample) => previewShape(sample, excluded)),
        null,
        2,
      ),
    )
  else
    print(
      [
        ...samples.map((sample) => toText(sample, excluded, learnedFigures(scenario, sample.model))),
        LEGEND,
      ].join('\n'),
    )
  flush()
}

/** The expectation that `tasksim learn` wrote for a model. */
function learnedFigures({ expect, layer }: Scenario, model: string): Expectation | undefined {
  if (layer.learned?.tasks[model] === undefined) return undefined
  return expect.find(({ create }) => create.model === model)
}

/** The default number of requests for each model. */
function defaultTasks(models: number): number {
  return Math.max(
    DEFAULT_REQUESTS.min,
    Math.min(DEFAULT_REQUESTS.max, Math.floor(DEFAULT_REQUESTS.total / models)),
  )
}
