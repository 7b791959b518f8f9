import type { MediaSettings } from '../../engine/assets/limits.js'
import type { JsonObject } from '../../engine/json.js'
import { Recent } from '../../engine/recent.js'
import type { Price } from '../../engine/tasks/pricing.js'
import type { Kind } from '../../engine/tasks/task.js'
import type { Behaviour, Failures, ModelEntry } from '../model/behaviour.js'
import type { Delay } from '../model/delay.js'
import type { ReplySettings } from '../model/reply.js'
import type { Scenario } from '../model/scenario.js'
import { globMatcher } from './glob.js'

/** A behaviour in which nothing is left open. */
export interface SettledBehaviour {
  readonly delay: Delay
  readonly failures: Failures
  readonly price: Price
  readonly output: JsonObject | undefined
  readonly reply: ReplySettings | undefined
  readonly files: readonly string[] | undefined
}

const ORDINARY = { delay: 3_000, failures: { rate: 0 }, price: {} } as const

interface Listing {
  readonly matches: (model: string) => boolean
  readonly entry: ModelEntry
}

/** What is known of one model id. */
export interface Model extends ModelEntry {
  /** Whether the scenario itself lists it, by id or pattern; the catalog alone only guesses. */
  readonly listed: boolean
}

/** Looks up what a scenario says of a model. */
export class ModelBook {
  readonly #scenario: Scenario
  readonly #own: readonly Listing[]
  readonly #catalog: readonly Listing[]
  readonly #found = new Recent<string, Model>()

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#own = listings(scenario.models)
    this.#catalog = listings(scenario.catalog)
  }

  /**
   * What is known of a model: of each setting, what the entry under its very id says, or else the first
   * pattern that matches and says something of it.
   */
  find(id: string): Model {
    const known = this.#found.get(id)
    if (known !== undefined) return known
    const own = this.#own.filter(({ matches }) => matches(id))
    const matching = [...own, ...this.#catalog.filter(({ matches }) => matches(id))]
    const entry: ModelEntry = Object.assign({}, ...matching.map(({ entry }) => entry).reverse())
    const model = { ...entry, listed: own.length > 0 }
    this.#found.set(id, model)
    return model
  }

  /** The kind that its entry names, or else the one that the input suggests. */
  kindOf(model: Model, input: JsonObject): Kind {
    if (model.kind !== undefined) return model.kind
    if (Object.hasOwn(input, 'messages')) return 'llm'
    return Object.hasOwn(input, 'duration') ? 'video' : 'image'
  }

  /** What holds for a task: of each setting, what the most specific place says. */
  behaviour(kind: Kind, model: Model, override: Behaviour | undefined): SettledBehaviour {
    const { kinds, defaults } = this.#scenario
    const general = kinds[kind]
    return {
      delay: override?.delay ?? model.delay ?? general?.delay ?? defaults.delay ?? ORDINARY.delay,
      failures:
        override?.failures ?? model.failures ?? general?.failures ?? defaults.failures ?? ORDINARY.failures,
      price: override?.price ?? model.price ?? general?.price ?? defaults.price ?? ORDINARY.price,
      output: override?.output ?? model.output ?? general?.output ?? defaults.output,
      reply: override?.reply ?? model.reply ?? general?.reply ?? defaults.reply,
      files: override?.files ?? model.files ?? general?.files ?? defaults.files,
    }
  }

  /** How strictly a model takes what it is asked for; rules have no say in it, for they know accepted tasks only. */
  mediaSettings(kind: Kind, model: Model): MediaSettings {
    const { kinds, defaults } = this.#scenario
    const general = kinds[kind]
    return {
      lenient: model.lenient ?? general?.lenient ?? defaults.lenient,
      limits: model.limits ?? general?.limits ?? defaults.limits,
    }
  }
}

/** Entries under a very id first, then patterns in the order of the file. */
function listings(entries: Scenario['models']): Listing[] {
  const all = Object.entries(entries).map(([pattern, entry]) => ({
    pattern,
    matches: globMatcher(pattern),
    entry,
  }))
  const isPattern = ({ pattern }: { pattern: string }) => pattern.includes('*')
  return [...all.filter((listing) => !isPattern(listing)), ...all.filter(isPattern)]
}
