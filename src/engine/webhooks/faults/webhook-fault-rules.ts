import type { Chance } from '../../random.js'
import { drawDelay } from '../../scenario/delay.js'
import { FrequencyCondition } from '../../scenario/frequency.js'
import { globMatcher } from '../../scenario/glob.js'
import type { WebhookFaultSource } from '../../scenario/rules.js'
import { ruleNames, type TaskTraits, taskMatcher } from '../../scenario/rules.js'
import type { Task } from '../../tasks/task.js'
import type { TaskEvent } from '../events/task-event.js'
import type { WebhookFormat } from '../webhook-format.js'
import type { WebhookFault } from './webhook-fault.js'

/** The traits of a delivery that webhook fault rules match. */
export interface WebhookFaultContext extends TaskTraits {
  readonly taskId: string
  readonly event: TaskEvent
  readonly format: WebhookFormat
  /** The receiver's URL. */
  readonly url: string
  /** The fault from a directive of the task, which overrides all rules. */
  readonly directive: WebhookFault | undefined
}

/** The traits of the delivery of a task's event to a receiver. */
export function contextOf(
  task: Task,
  event: TaskEvent,
  format: WebhookFormat,
  url: string,
): WebhookFaultContext {
  const { id: taskId, owner: key, model, kind, dialect, input, plan } = task
  return { taskId, key, model, kind, dialect, input, event, format, url, directive: plan.webhookFault }
}

/** A webhook fault that a rule or a directive applies to a delivery. */
export interface AppliedWebhookFault {
  readonly fault: WebhookFault
  /** The name of the rule, or `directive`. */
  readonly rule: string
  /** How long the first attempt is delayed, in milliseconds, as drawn from `fault.delay`. */
  readonly delay: number | undefined
}

interface WebhookFaultRule {
  readonly name: string
  readonly fault: WebhookFault
  readonly matches: (context: WebhookFaultContext) => boolean
  readonly frequency: FrequencyCondition
}

/** Selects the webhook fault of each delivery. */
export class WebhookFaultRules {
  /** For each rule, how many deliveries it has counted, by task or by key. */
  readonly counts: readonly FrequencyCondition['counts'][]
  /** Whether any rule sends webhooks before the response to a create request. */
  readonly haveEarly: boolean
  readonly #early: readonly WebhookFaultRule[]
  readonly #late: readonly WebhookFaultRule[]
  readonly #chance: Chance

  constructor(sources: readonly WebhookFaultSource[], chance: Chance) {
    const names = ruleNames(sources, 'webhooks.faults')
    const rules = sources.map((source, index) => compile(source, names[index] ?? ''))
    this.counts = rules.map(({ frequency }) => frequency.counts)
    this.#early = rules.filter(({ fault }) => isEarly(fault))
    this.haveEarly = this.#early.length > 0
    this.#late = rules.filter(({ fault }) => !isEarly(fault))
    this.#chance = chance
  }

  /**
   * Finds the fault that sends an event before the response to the create request. Call it once per task and receiver,
   * because the rules count the calls.
   * @param since milliseconds since the scenario became active
   */
  matchEarly(context: WebhookFaultContext, since: number): AppliedWebhookFault | undefined {
    const { directive } = context
    if (directive === undefined) return this.#match(this.#early, context, since)
    return isEarly(directive) ? this.#apply(directive, 'directive', this.#chanceOf(context)) : undefined
  }

  /** Finds any other fault of an event that is about to be sent. Call it once per delivery. */
  match(context: WebhookFaultContext, since: number): AppliedWebhookFault | undefined {
    const { directive } = context
    if (directive === undefined) return this.#match(this.#late, context, since)
    return isEarly(directive) ? undefined : this.#apply(directive, 'directive', this.#chanceOf(context))
  }

  #match(
    rules: readonly WebhookFaultRule[],
    context: WebhookFaultContext,
    since: number,
  ): AppliedWebhookFault | undefined {
    if (rules.length === 0) return undefined
    const chance = this.#chanceOf(context)
    let first: WebhookFaultRule | undefined
    for (const rule of rules) {
      if (!rule.matches(context)) continue
      // Every rule counts every delivery that it matches, even if an earlier rule applies.
      const random = () => chance.stream(`webhook fault ${rule.name}`)
      const number = rule.frequency.take({ since, key: context.key, task: context.taskId, random })
      if (number !== undefined) first ??= rule
    }
    return first && this.#apply(first.fault, first.name, chance)
  }

  #apply(fault: WebhookFault, rule: string, chance: Chance): AppliedWebhookFault {
    const delay = fault.delay && drawDelay(fault.delay, () => chance.stream('webhook fault delay'))
    return { fault, rule, delay }
  }

  #chanceOf({ taskId, url }: WebhookFaultContext): Chance {
    return this.#chance.child(`${taskId}\0${url}`)
  }
}

function isEarly({ timing }: WebhookFault): boolean {
  return timing === 'before_response'
}

function compile({ when = {}, then }: WebhookFaultSource, name: string): WebhookFaultRule {
  const { receiver, event, model, kind, dialect, key, input, ...conditions } = when
  const isReceiver = globMatcher(receiver ?? '*')
  const isTask = taskMatcher({ model, kind, dialect, key, input })
  return {
    name,
    fault: then,
    frequency: new FrequencyCondition(conditions),
    matches: (context) =>
      isReceiver(context.url) &&
      (event === undefined || context.format.eventOf(event) === context.event) &&
      isTask(context),
  }
}
