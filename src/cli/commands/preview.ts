import type { Argv } from 'yargs'
import { modelsOf, notSampled, takeSample } from '../../control/preview/sample.js'
import { previewShape, type Sample } from '../../control/preview/totals.js'
import {
  distribution,
  type Interval,
  PERCENTILES,
  percentile,
  percentileInterval,
  shareInterval,
} from '../../inspect/statistics.js'
import { countText } from '../../record/numbers.js'
import type { Expectation, Scenario } from '../../scenario/scenario.js'
import { type ArgumentsOf, defineCommand } from '../command.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import { chooseSeed, readDurationOption, repeatable, seedOption } from '../options/options.js'
import { colors, flush, print } from '../output.js'
import { showProgress } from '../progress.js'

const MAX_TASKS = 10_000_000

/** The default number of requests, in total and for each model, so that a preview takes about a second. */
const DEFAULT_REQUESTS = { total: 5_000, max: 1_000, min: 100 }

/** Shows the outcomes, errors, times and costs of a scenario. */
export const command = defineCommand({ builder: options, handler: preview })

function options(yargs: Argv) {
  return yargs
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
    .example('$0 preview realistic --tasks 100000', 'Narrow the confidence intervals, in a minute')
}

async function preview(args: ArgumentsOf<typeof options>): Promise<void> {
  const every = readDurationOption('every', args.every)
  if (
    args.tasks !== undefined &&
    !(Number.isInteger(args.tasks) && args.tasks >= 1 && args.tasks <= MAX_TASKS)
  ) {
    throw new CommandLineError(
      `--tasks must be a whole number from 1 to ${countText(MAX_TASKS)}; got ${args.tasks}.`,
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

const MAX_BAR_WIDTH = 40
const MICRO_DOLLAR = 0.000_001

/**
 * Formats a sample as text.
 * @param excluded the rules of the scenario that a sample never triggers
 * @param learned the figures of the real service, if the scenario was learned from its history
 */
function toText(sample: Sample, excluded: readonly string[], learned?: Expectation): string {
  const { model, kind, requests, answers, tasks, outcomes, errors, cost, queue, processing } = sample
  const { failed = 0 } = outcomes
  const attempts = sample.webhookAttempts / Math.max(1, tasks)
  return [
    `${colors.bold(model)} ${colors.dim(`(${kind}, ${countText(requests)} create requests, ${countText(tasks)} tasks)`)}`,
    row('answers', plainShares(answers, requests)),
    row('outcomes', tasks === 0 ? 'no task was created' : shares(outcomes, tasks)),
    ...(failed === 0 ? [] : [row('errors', shares(errors, failed))]),
    row('queued', percentiles(queue)),
    row('processing', percentiles(processing)),
    ...learnedRows(learned),
    row(
      'cost',
      `${dollars(cost.perSuccess)}${range(cost.interval, dollars)} per success, ${dollars(cost.total)} total`,
    ),
    row('webhooks', `${attempts.toFixed(2)} attempts per task, for a receiver that accepts all`),
    ...(excluded.length === 0 ? [] : [row('not shown', excluded.join(', '))]),
    ...bars(processing),
    '',
  ].join('\n')
}

/** The explanation after the last sample. */
const LEGEND = colors.dim(
  'In parentheses: 95 % confidence intervals. Each sample has one model and one API key, and sends only create\nrequests. "not shown" lists the rate limits and faults of other requests.',
)

function row(name: string, text: string): string {
  return `  ${name.padEnd(11)} ${text}`
}

function byCount(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a)
}

/** Omits confidence intervals, because limits, not random draws, decide most answers. */
function plainShares(counts: Record<string, number>, whole: number): string {
  return byCount(counts)
    .map(([name, n]) => `${name}: ${percents(n / whole)} %`)
    .join(', ')
}

function shares(counts: Record<string, number>, whole: number): string {
  return byCount(counts)
    .map(([name, n]) => `${name} ${percents(n / whole)} %${range(shareInterval(n, whole), percents)}`)
    .join(', ')
}

function percentiles(sorted: Float64Array): string {
  if (sorted.length === 0) return 'no task ended'
  if (percentile(sorted, 100) === 0) return '0s'
  return PERCENTILES.map((rank) => quantile(sorted, rank)).join('  ')
}

function quantile(sorted: Float64Array, rank: number): string {
  if (rank === 100) return `max ${seconds(percentile(sorted, rank))}`
  return `p${rank} ${seconds(percentile(sorted, rank))}${range(percentileInterval(sorted, rank), seconds)}`
}

/** The ranges that simulated figures should have, in the order of the figures. */
function learnedRows({ outcomes, queueing, processing }: Partial<Expectation> = {}): string[] {
  const failed = outcomes?.failed
  const parts = [
    ...(failed === undefined
      ? []
      : [`failed ${percents(failed.min ?? 0)} to ${percents(failed.max ?? 1)} %`]),
    ...learnedTimes('queued', queueing),
    ...learnedTimes('processing', processing),
  ]
  return parts.length === 0 ? [] : [row('learned', parts.join('; '))]
}

function learnedTimes(name: string, ranges: Expectation['processing']): string[] {
  if (ranges === undefined) return []
  const texts = Object.entries(ranges).map(([rank, { min = 0, max }]) =>
    max === undefined ? `${rank} from ${seconds(min)}` : `${rank} ${seconds(min)} to ${seconds(max)}`,
  )
  return [`${name} ${texts.join('  ')}`]
}

/** Formats an interval in parentheses; empty if both ends have the same text. */
function range([low, high]: Interval, format: (value: number) => string): string {
  return format(low) === format(high) ? '' : colors.dim(` (${format(low)} to ${format(high)})`)
}

/** A histogram of processing times, one bar per line. */
function bars(sorted: Float64Array): string[] {
  const rows = distribution(sorted)
  const largest = Math.max(...rows.map(({ count: n }) => n))
  return rows.map(({ from, count: n }) => {
    const bar = '█'.repeat(Math.round((n / largest) * MAX_BAR_WIDTH))
    return `  ${seconds(from).padStart(10)} ${colors.cyan(bar)}`
  })
}

function percents(share: number): string {
  return (100 * share).toFixed(2)
}

function seconds(milliseconds: number): string {
  if (milliseconds >= 3_600_000) return `${(milliseconds / 3_600_000).toFixed(1)}h`
  if (milliseconds >= 60_000) return `${(milliseconds / 60_000).toFixed(1)}m`
  return `${(milliseconds / 1_000).toFixed(2)}s`
}

function dollars(amount: number): string {
  if (amount === 0) return '$0'
  // The service charges whole micro-dollars; an average may be less.
  if (amount < MICRO_DOLLAR) return `less than $${MICRO_DOLLAR.toFixed(6)}`
  return `$${amount.toFixed(amount >= 1 ? 2 : 6)}`
}
