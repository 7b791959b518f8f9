import type { MediaSpec } from '../assets/media-spec.js'
import type { Directive } from '../directive/directive.js'
import type { JsonObject } from '../json.js'
import type { Chance } from '../random.js'
import { Recent } from '../recent.js'
import type { Failures } from '../scenario/behavior.js'
import { drawDelay } from '../scenario/delay.js'
import { ModelResolver } from '../scenario/model-resolver.js'
import { type Candidate, compileRules, type Rule } from '../scenario/rules.js'
import type { ScenarioSettings } from '../scenario/scenario.js'
import type { Kinds } from './kinds.js'
import type { RecordedOrder } from './recorded-tasks.js'
import { DEFAULT_TASK_ERROR, type Kind, type Plan, type TaskError } from './task.js'

/** Plans tasks. A plan depends only on the scenario, the order with its directive, and the random draws of the task. */
export class Planner {
  readonly #scenario: ScenarioSettings
  readonly #kinds: Kinds
  readonly #models: ModelResolver
  readonly #rules: readonly Rule[]
  readonly #media = new Shared<MediaSpec>()
  readonly #ends = new Shared<Plan['end']>()
  readonly #plans = new Shared<Plan>()

  constructor(scenario: ScenarioSettings, kinds: Kinds) {
    this.#scenario = scenario
    this.#kinds = kinds
    this.#models = new ModelResolver(scenario)
    this.#rules = compileRules(scenario.rules)
  }

  /** Whether the scenario itself lists the model. */
  lists(model: string): boolean {
    return this.#models.find(model).listed
  }

  /** The kind of a model. If neither the scenario nor the catalog has it, the fields of the input decide. */
  kindOf(model: string, input: JsonObject): Kind {
    return this.#models.find(model).kind ?? this.#kinds.guess(input)
  }

  /** The built-in kind from which a kind inherits; the kind itself if it is built in. */
  baseOf(kind: Kind): Kind {
    return this.#scenario.kinds[kind]?.like ?? kind
  }

  /**
   * Checks the input of a task.
   * @throws InputError if the kind of the model does not accept the input
   */
  check(model: string, input: JsonObject): void {
    const kind = this.baseOf(this.kindOf(model, input))
    this.#kinds.check(kind, input, this.#scenario.api.validation === 'lenient')
  }

  /**
   * The media that the input requests; undefined if the kind is not media.
   * @param takesNearest whether the nearest values replace impossible ones, unless the scenario has limits or `lenient`
   * @throws InputError if the model cannot produce them
   */
  mediaOf(kind: Kind, model: string, input: JsonObject, takesNearest = false): MediaSpec | undefined {
    const { limits, lenient = takesNearest && limits === undefined } = this.#models.mediaSettings(
      kind,
      this.#models.find(model),
    )
    const settings = { limits, lenient }
    const media = this.#kinds.mediaOf(this.baseOf(kind), input, settings)
    return media && this.#media.get(model, media)
  }

  /** A string that equal orders share. @param canonical the input, with the keys of every object sorted */
  identityOf(order: RecordedOrder, canonical: string): string {
    return this.#scenario.recorded?.identityOf(order) ?? JSON.stringify(order.model) + canonical
  }

  /** How the scenario lets such a task fail. */
  failuresOf(order: Candidate): Failures {
    const rule = this.#rules.find((candidate) => candidate.matches(order))
    return this.#models.behavior(order.kind, this.#models.find(order.model), rule?.then).failures
  }

  /** @param directive the directive of the request, which overrides the scenario */
  plan(order: Candidate, chance: Chance, directive?: Directive): Plan {
    const rule = this.#rules.find((candidate) => candidate.matches(order))
    const behavior = this.#models.behavior(order.kind, this.#models.find(order.model), rule?.then)
    const { failures, delay } = behavior
    const isFailing = failures.rate > 0 && chance.stream('outcome').float() < failures.rate
    const outcome = rule?.then.outcome ?? (isFailing ? 'failed' : 'succeeded')
    const endsAtPoll = typeof delay === 'object' && 'polls' in delay
    const learned: Plan = {
      outcome,
      queueing: drawDelay(behavior.queueing, () => chance.stream('queueing')),
      end: endsAtPoll ? delay : { after: drawDelay(delay, () => chance.stream('delay')) },
      price: behavior.price,
      output: behavior.output,
      reply: behavior.reply,
      files: behavior.files,
      error: outcome === 'failed' ? (rule?.then.error ?? drawError(failures, chance)) : undefined,
      rule: rule?.name,
      webhookFault: undefined,
      recorded: undefined,
    }
    const plan = this.#scenario.recorded?.planOf(order, learned) ?? learned
    if (directive !== undefined) return overridden(plan, directive, failures, chance)
    const end = this.#ends.get(order.model, plan.end)
    return this.#plans.get(order.model, end === plan.end ? plan : { ...plan, end })
  }
}

function overridden(
  plan: Plan,
  { plan: override, webhookFault }: Directive,
  failures: Failures,
  chance: Chance,
): Plan {
  const { outcome = plan.outcome, end = plan.end, cost, slower = 1 } = override
  const error = { ...(plan.error ?? drawError(failures, chance)), ...override.error }
  const isDecided = override.outcome !== undefined || override.end !== undefined || cost !== undefined
  return {
    ...plan,
    outcome,
    end: slower === 1 ? end : slowed(end, slower),
    price: cost === undefined ? plan.price : { per_task: cost },
    error: outcome === 'failed' ? error : undefined,
    rule: isDecided ? 'directive' : plan.rule,
    webhookFault,
  }
}

function slowed(end: Plan['end'], factor: number): Plan['end'] {
  return 'after' in end ? { after: end.after * factor } : { polls: end.polls * factor }
}

function drawError({ errors = [] }: Failures, chance: Chance): TaskError {
  const total = errors.reduce((sum, { weight = 1 }) => sum + weight, 0)
  let left = chance.stream('error').float() * total
  for (const { code, message, weight = 1 } of errors) {
    left -= weight
    if (left < 0) return { code, message }
  }
  return DEFAULT_TASK_ERROR
}

/**
 * Shares equal objects: most tasks of a model have the same media and the same plan. A finished task then takes 530 bytes
 * beside its input, in place of 730.
 */
class Shared<Value extends object> {
  readonly #last = new Recent<string, Value>()

  /** @returns the last object of the key if all fields of the new one are the same; otherwise the new one */
  get(key: string, value: Value): Value {
    const last = this.#last.get(key)
    if (last !== undefined && areEqual(last, value)) return last
    this.#last.set(key, value)
    return value
  }
}

/** Whether two objects have the same fields with the same values. */
function areEqual<Value extends object>(one: Value, other: Value): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (!(name in one)) return false
  return true
}
