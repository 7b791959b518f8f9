import type { Chance } from '../random.js'
import { drawDelay } from '../scenario/delay.js'
import { ModelBook } from '../scenario/model-book.js'
import { compileRules, type Rule } from '../scenario/rules.js'
import type { Failures, Scenario } from '../scenario/scenario.js'
import type { JsonObject, Kind, Outcome, Plan, TaskError } from './task.js'

/** The error of a failed task for which the scenario names none. */
export const UNEXPLAINED: TaskError = {
  code: 'generation_failed',
  message: 'The generation could not be completed.',
}

/** A request for a task, as far as it decides what will happen. */
export interface Order {
  readonly model: string
  readonly input: JsonObject
  /** Which time it is that this very model and input are asked for, from 1. */
  readonly occurrence: number
}

/** Decides what will happen to a task, from the scenario and the task's own chance alone. */
export class Planner {
  readonly #book: ModelBook
  readonly #rules: readonly Rule[]

  constructor(scenario: Scenario) {
    this.#book = new ModelBook(scenario)
    this.#rules = compileRules(scenario.rules)
  }

  /** Whether the scenario itself lists the model. */
  lists(model: string): boolean {
    return this.#book.find(model).listed
  }

  kindOf(model: string, input: JsonObject): Kind {
    return this.#book.kindOf(this.#book.find(model), input)
  }

  plan(order: Order, chance: Chance): { kind: Kind; plan: Plan } {
    const model = this.#book.find(order.model)
    const kind = this.#book.kindOf(model, order.input)
    const rule = this.#rules.find((candidate) => candidate.matches({ ...order, kind }))
    const behaviour = this.#book.behaviour(kind, model, rule?.then)
    const outcome = rule?.then.outcome ?? drawOutcome(behaviour.failures, chance)
    return {
      kind,
      plan: {
        outcome,
        delay: drawDelay(behaviour.delay, () => chance.stream('delay')),
        price: behaviour.price,
        output: behaviour.output,
        error: outcome === 'failed' ? (rule?.then.error ?? drawError(behaviour.failures, chance)) : undefined,
        rule: rule?.name,
      },
    }
  }
}

function drawOutcome({ rate }: Failures, chance: Chance): Outcome {
  return rate > 0 && chance.stream('outcome').float() < rate ? 'failed' : 'succeeded'
}

function drawError({ errors = [] }: Failures, chance: Chance): TaskError {
  const total = errors.reduce((sum, { weight = 1 }) => sum + weight, 0)
  let left = chance.stream('error').float() * total
  for (const { code, message, weight = 1 } of errors) {
    left -= weight
    if (left < 0) return { code, message }
  }
  return UNEXPLAINED
}
