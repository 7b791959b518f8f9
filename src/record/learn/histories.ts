import type { JsonObject } from '../../engine/json.js'
import { Planner } from '../../engine/tasks/planner.js'
import { builtInKinds } from '../../kinds/built-in-kinds.js'
import { kindNamed } from '../../kinds/registry.js'
import { shippedScenario } from '../../scenario/language/shipped.js'
import type { ObservedTask } from '../history/observed-task.js'
import { ModelHistory } from './model-history.js'
import { Tally } from './tally.js'

/** The tasks of a history, by model and by kind. */
export class Histories {
  readonly #planner = new Planner(shippedScenario('default'), builtInKinds)
  readonly #models = new Map<string, ModelHistory>()
  readonly #kinds = new Map<string, Tally>()
  from = Infinity
  to = -Infinity

  /** The models by id. */
  get models(): ModelHistory[] {
    return sorted(this.#models)
  }

  /** The kinds by name. Each has the tasks of all its models. */
  get kinds(): Tally[] {
    return sorted(this.#kinds)
  }

  add(task: ObservedTask): void {
    const model = this.#modelOf(task)
    model.add(task)
    this.#kindOf(model.kind).add(task)
    this.from = Math.min(this.from, task.createdAt)
    this.to = Math.max(this.to, task.createdAt)
  }

  /** The first task of a model decides its kind, as long as the source does not name one. */
  #modelOf({ model, kind, input }: ObservedTask): ModelHistory {
    let history = this.#models.get(model)
    if (history === undefined) {
      const isKnown = kind !== undefined && kindNamed(kind) !== undefined
      history = new ModelHistory(model, isKnown ? kind : this.#guess(model, input ?? {}))
      this.#models.set(model, history)
    }
    return history
  }

  #guess(model: string, input: JsonObject): string {
    return this.#planner.baseOf(this.#planner.kindOf(model, input))
  }

  #kindOf(kind: string): Tally {
    const tally = this.#kinds.get(kind) ?? new Tally(kind, kind)
    this.#kinds.set(kind, tally)
    return tally
  }
}

function sorted<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
}
