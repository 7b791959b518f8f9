import { isoTime } from '../../engine/clock/instants.js'
import type { RuleSource } from '../../engine/scenario/rules.js'
import { LEARNED_VERSION } from '../../scenario/schema/scenario.js'
import type { LearnedDelay } from '../learn/delay.js'
import type { Learned, LearnedBehavior, LearnedFailures } from '../learn/learn.js'
import type { LearnedLimit } from '../learn/limits.js'
import type { Choice } from '../learn/price/priced-tasks.js'
import { counted, roundRate } from '../numbers.js'
import { CommentedYaml, type Path } from './commented.js'
import { countsText, delayText, failuresText, limitText, priceText, spreadText } from './comments.js'
import { expectationsOf } from './expectations.js'
import { addTrafficComments, trafficFields, trafficTexts } from './traffic-fields.js'

const FIELDS_ON_ONE_LINE = ['create', 'outcomes', 'errors', 'queueing', 'processing', 'cost']

/**
 * Writes what was learned as a scenario file with comments. It contains no inputs, outputs and ids of tasks.
 * @param source the name of the history
 */
export function writeScenario(learned: Learned, source: string): string {
  const { models, kinds } = learned
  const rules = priceRules(models)
  const expect = expectationsOf(learned)
  const file = new CommentedYaml({
    description: `learned from ${counted(learned.tasks, 'task')} of ${counted(models.length, 'model')}`,
    kinds: kinds.length === 0 ? undefined : byName(kinds, behaviorFields),
    models: byName(models, (model) => ({ kind: model.kind, ...behaviorFields(model) })),
    capacity: capacityOf(learned.limits),
    rules: rules.length === 0 ? undefined : rules,
    ...trafficFields(learned.traffic),
    learned: {
      version: LEARNED_VERSION,
      tasks: Object.fromEntries(models.map(({ name, counts }) => [name, counts.succeeded + counts.failed])),
    },
    expect,
  })
  file.head(header(learned, source))
  for (const kind of kinds) addComments(file, ['kinds', kind.name], kind)
  for (const model of models) addComments(file, ['models', model.name], model)
  addLimitComments(file, learned.limits)
  addTrafficComments(file, learned.traffic)
  for (const index of rules.keys()) {
    file.onOneLine(['rules', index, 'when'])
    file.onOneLine(['rules', index, 'then'])
  }
  for (const index of expect?.keys() ?? []) {
    for (const field of FIELDS_ON_ONE_LINE) file.onOneLine(['expect', index, field])
  }
  return file.toString()
}

function byName(
  behaviors: readonly LearnedBehavior[],
  fields: (behavior: LearnedBehavior) => object,
): object {
  return Object.fromEntries(behaviors.map((behavior) => [behavior.name, fields(behavior)]))
}

/** The prices that depend on fields of the input. */
function priceRules(models: readonly LearnedBehavior[]): RuleSource[] {
  return models.flatMap(({ name, price }) =>
    (price?.rules ?? []).map(({ input, price }) => ({
      name: ruleName(name, input),
      when: { model: name, input },
      then: { price },
    })),
  )
}

function ruleName(model: string, input: Readonly<Record<string, Choice>>): string {
  return `${model}: ${Object.entries(input)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ')}`
}

function header({ tasks, from, to, traffic, gaps }: Learned, source: string): string {
  return [
    `Learned by \`tasksim learn\` from ${source}: ${counted(tasks, 'task')}, created between`,
    `${instantText(from)} and ${instantText(to)}. In parentheses: 95 % confidence intervals.`,
    'Compare it with a newer history: tasksim learn NEW-HISTORY --check THIS-FILE',
    ...gaps.map((gap) => `Not learned: ${gap}.`),
    ...trafficTexts(traffic),
  ].join('\n')
}

function instantText(time: number): string {
  return isoTime(time).replace(/\.\d+Z$/, 'Z')
}

/** The `capacity` section; undefined without a limit. */
function capacityOf(limits: readonly LearnedLimit[]): object | undefined {
  if (limits.length === 0) return undefined
  const running = limits.find(({ scope }) => scope === 'all')?.running
  return { running, kinds: limitsOf('kinds', limits), models: limitsOf('models', limits) }
}

function limitsOf(scope: LearnedLimit['scope'], limits: readonly LearnedLimit[]): object | undefined {
  const own = limits.filter((limit) => limit.scope === scope)
  return own.length === 0
    ? undefined
    : Object.fromEntries(own.map(({ name, running }) => [name, { running }]))
}

/** Adds a comment with the evidence for each limit. */
function addLimitComments(file: CommentedYaml, limits: readonly LearnedLimit[]): void {
  for (const limit of limits) {
    const { scope, name } = limit
    const path = scope === 'all' ? ['capacity', 'running'] : ['capacity', scope, name]
    file.above(path, limitText(limit))
    file.onOneLine(path)
  }
}

/** The learned fields of a model or a kind, as a scenario file writes them. */
function behaviorFields({ queueing, delay, failures, price, output }: LearnedBehavior): object {
  return {
    queueing: queueing && spreadText(queueing.spread),
    delay: delay && spreadText(delay.spread),
    failures: failures && failureFields(failures),
    price: price?.price,
    output,
  }
}

function failureFields({ rate, interval, errors }: LearnedFailures): object {
  const listed = errors.map(({ code, message, count }) => ({ code, message, weight: count }))
  return {
    rate: roundRate(rate, interval),
    errors: listed.length === 0 ? undefined : listed,
  }
}

/** Adds the samples, figures and gaps of a model or a kind as comments. */
function addComments(file: CommentedYaml, path: Path, behavior: LearnedBehavior): void {
  const { counts, queueing, delay, failures, price, gaps } = behavior
  file.inside(path, [countsText(counts), ...gaps.map((gap) => `Not learned: ${gap}`)].join('\n'))
  for (const [name, spans] of [
    ['queueing', queueing],
    ['delay', delay],
  ] as const) {
    if (spans === undefined) continue
    file.above([...path, name], delayText(spans))
    if (!hasPercentiles(spans)) file.onOneLine([...path, name])
  }
  if (failures !== undefined) file.above([...path, 'failures'], failuresText(failures))
  if (price !== undefined) {
    file.above([...path, 'price'], priceText(price))
    file.onOneLine([...path, 'price'])
  }
  for (const index of failures?.errors.keys() ?? []) file.onOneLine([...path, 'failures', 'errors', index])
}

/** Percentiles are too many for one line. */
function hasPercentiles({ spread }: LearnedDelay): boolean {
  return typeof spread === 'object' && 'percentiles' in spread
}
