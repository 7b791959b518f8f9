import { LEARNED_VERSION, type RuleSource } from '../../scenario/model/layer.js'
import { counted } from '../counted.js'
import type { Learned, LearnedBehavior } from '../learn/learn.js'
import type { Choice } from '../learn/price/priced-tasks.js'
import { addComments, behaviorFields } from './behavior-fields.js'
import { CommentedYaml } from './commented.js'
import { expectationsOf } from './expectations.js'
import { addLimitComments, capacityOf } from './limit-fields.js'
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

function byName<Fields>(
  behaviors: readonly LearnedBehavior[],
  fields: (behavior: LearnedBehavior) => Fields,
): Record<string, Fields> {
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
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
