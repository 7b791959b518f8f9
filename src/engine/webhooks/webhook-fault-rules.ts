import type { WebhookFaultSource } from '../../scenario/model/layer.js'
import { FrequencyCondition } from '../../scenario/rules/frequency.js'
import { globMatcher } from '../../scenario/rules/glob.js'
import { ruleNames, type TaskTraits, taskMatcher } from '../../scenario/rules/rules.js'
import type { Chance } from '../random.js'
import { isSameEvent } from './event.js'
import type { WebhookFault } from './webhook-fault.js'

/** An event for a receiver, as far as webhook fault rules look at it. */
export interface WebhookFaultContext extends TaskTraits {
  readonly taskId: string
  readonly event: string
  /** The receiver's URL. */
  readonly url: string
  /** What a directive of the task asks for, in place of all rules. */
  readonly own: WebhookFault | undefined
}

/** WebhookFault that is done to a delivery. */
export interface AppliedWebhookFault {
  readonly fault: WebhookFault
  /** The rule that says so. */
  readonly rule: string
  /** The source of what the fault itself draws. */
  readonly chance: Chance
}

interface WebhookFaultRule {
  readonly name: string
  readonly fault: WebhookFault
  readonly matches: (victim: WebhookFaultContext) => boolean
  readonly frequency: FrequencyCondition
}

/** Decides which deliveries are mistreated, and how. */
export class WebhookFaultRules {
  readonly #early: readonly WebhookFaultRule[]
  readonly #late: readonly WebhookFaultRule[]
  readonly #chance: Chance

  constructor(sources: readonly WebhookFaultSource[], chance: Chance) {
    const names = ruleNames(sources, 'webhooks.faults')
    const rules = sources.map((source, index) => compile(source, names[index] ?? ''))
    const isEarly = ({ fault }: WebhookFaultRule) => fault.timing === 'before_response'
    this.#early = rules.filter(isEarly)
    this.#late = rules.filter((rule) => !isEarly(rule))
    this.#chance = chance
  }

  /** Whether an event is to be sent before the create request is answered; asked once, when a task is made. */
  comesFirst(victim: WebhookFaultContext, since: number): AppliedWebhookFault | undefined {
    return victim.own === undefined
      ? this.#first(this.#early, victim, since)
      : this.#own(victim.own, victim, victim.own.timing === 'before_response')
  }

  /** What is done to an event that is about to be sent. */
  befalling(victim: WebhookFaultContext, since: number): AppliedWebhookFault | undefined {
    return victim.own === undefined
      ? this.#first(this.#late, victim, since)
      : this.#own(victim.own, victim, victim.own.timing !== 'before_response')
  }

  #own(fault: WebhookFault, victim: WebhookFaultContext, isMeant: boolean): AppliedWebhookFault | undefined {
    return isMeant ? { fault, rule: 'directive', chance: this.#chanceOf(victim) } : undefined
  }

  #first(
    rules: readonly WebhookFaultRule[],
    victim: WebhookFaultContext,
    since: number,
  ): AppliedWebhookFault | undefined {
    if (rules.length === 0) return undefined
    const chance = this.#chanceOf(victim)
    let first: AppliedWebhookFault | undefined
    for (const { name, fault, matches, frequency } of rules) {
      if (!matches(victim)) continue
      // Every rule counts every delivery that it is about, whether or not another one decides.
      const random = () => chance.stream(`webhook fault ${name}`)
      const number = frequency.take({ since, key: victim.key, task: victim.taskId, random })
      if (number !== undefined) first ??= { fault, rule: name, chance }
    }
    return first
  }

  #chanceOf({ taskId, url }: WebhookFaultContext): Chance {
    return this.#chance.child(`${taskId}\0${url}`)
  }
}

function compile({ when = {}, then }: WebhookFaultSource, name: string): WebhookFaultRule {
  const { receiver, event, model, kind, key, input, ...conditions } = when
  const isReceiver = globMatcher(receiver ?? '*')
  const isTask = taskMatcher({ model, kind, key, input })
  return {
    name,
    fault: then,
    frequency: new FrequencyCondition(conditions),
    matches: (victim) =>
      isReceiver(victim.url) && (event === undefined || isSameEvent(event, victim.event)) && isTask(victim),
  }
}
