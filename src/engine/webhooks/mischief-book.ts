import type { MischiefSource } from '../../scenario/model/scenario.js'
import { globMatcher } from '../../scenario/rules/glob.js'
import { type TaskTraits, taskMatcher } from '../../scenario/rules/rules.js'
import { namesOf, Trigger } from '../../scenario/rules/trigger.js'
import type { Chance } from '../random.js'
import { isSameEvent } from './event.js'
import type { Mischief } from './mischief.js'

/** An event for a receiver, as far as mischief looks at it. */
export interface Victim extends TaskTraits {
  readonly taskId: string
  readonly event: string
  /** The receiver's URL. */
  readonly url: string
  /** What a directive of the task asks for, in place of all rules. */
  readonly own: Mischief | undefined
}

/** Mischief that is done to a delivery. */
export interface Done {
  readonly mischief: Mischief
  /** The rule that says so. */
  readonly rule: string
  /** The root of what the mischief itself has to draw. */
  readonly chance: Chance
}

interface Rule {
  readonly name: string
  readonly mischief: Mischief
  readonly matches: (victim: Victim) => boolean
  readonly trigger: Trigger
}

/** Decides which deliveries are mistreated, and how. */
export class MischiefBook {
  readonly #early: readonly Rule[]
  readonly #late: readonly Rule[]
  readonly #chance: Chance

  constructor(sources: readonly MischiefSource[], chance: Chance) {
    const names = namesOf(sources, 'mischief')
    const rules = sources.map((source, index) => compile(source, names[index] ?? ''))
    const isEarly = ({ mischief }: Rule) => mischief.timing === 'before_response'
    this.#early = rules.filter(isEarly)
    this.#late = rules.filter((rule) => !isEarly(rule))
    this.#chance = chance
  }

  /** Whether an event is to be sent before the create request is answered; asked once, when a task is made. */
  comesFirst(victim: Victim, since: number): Done | undefined {
    return victim.own === undefined
      ? this.#first(this.#early, victim, since)
      : this.#own(victim.own, victim, victim.own.timing === 'before_response')
  }

  /** What is done to an event that is about to be sent. */
  befalling(victim: Victim, since: number): Done | undefined {
    return victim.own === undefined
      ? this.#first(this.#late, victim, since)
      : this.#own(victim.own, victim, victim.own.timing !== 'before_response')
  }

  #own(mischief: Mischief, victim: Victim, isMeant: boolean): Done | undefined {
    return isMeant ? { mischief, rule: 'directive', chance: this.#chanceOf(victim) } : undefined
  }

  #first(rules: readonly Rule[], victim: Victim, since: number): Done | undefined {
    if (rules.length === 0) return undefined
    const chance = this.#chanceOf(victim)
    let first: Done | undefined
    for (const { name, mischief, matches, trigger } of rules) {
      if (!matches(victim)) continue
      // Every rule counts every delivery that it is about, whether or not another one decides.
      const random = () => chance.stream(`mischief ${name}`)
      const number = trigger.pull({ since, key: victim.key, task: victim.taskId, random })
      if (number !== undefined) first ??= { mischief, rule: name, chance }
    }
    return first
  }

  #chanceOf({ taskId, url }: Victim): Chance {
    return this.#chance.child(`${taskId}\0${url}`)
  }
}

function compile({ when = {}, then }: MischiefSource, name: string): Rule {
  const { receiver, event, model, kind, key, input, ...occasion } = when
  const isReceiver = globMatcher(receiver ?? '*')
  const isTask = taskMatcher({ model, kind, key, input })
  return {
    name,
    mischief: then,
    trigger: new Trigger(occasion),
    matches: (victim) =>
      isReceiver(victim.url) && (event === undefined || isSameEvent(event, victim.event)) && isTask(victim),
  }
}
