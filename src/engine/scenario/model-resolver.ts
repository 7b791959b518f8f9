import type { MediaSettings } from '../assets/media-spec.js'
import { oncePer, Recent } from '../recent.js'
import type { Kind } from '../tasks/task.js'
import type { Behavior, DefaultBehavior, ModelEntry } from './behavior.js'
import { globMatcher } from './glob.js'
import type { ScenarioSettings } from './scenario.js'

/** The behavior of one task, after all overrides. */
export type TaskBehavior = Pick<DefaultBehavior, keyof Behavior>

interface Listing {
  readonly matches: (model: string) => boolean
  readonly entry: ModelEntry
}

/** The settings of one model id. */
export interface Model extends ModelEntry {
  /** Whether the scenario lists the model, by id or pattern. The catalog does not count. */
  readonly listed: boolean
}

/** Finds the settings of models. */
export class ModelResolver {
  readonly #defaults: DefaultBehavior
  /** The settings of each kind, with those that it inherits. */
  readonly #kinds: ScenarioSettings['kinds']
  readonly #own: readonly Listing[]
  readonly #catalog: readonly Listing[]
  readonly #models = new Recent<string, Model>()

  constructor(scenario: ScenarioSettings) {
    this.#defaults = scenario.defaults
    this.#kinds = withInherited(scenario.kinds)
    this.#own = listings(scenario.models)
    this.#catalog = listings(scenario.catalog)
  }

  /** Finds a model. For each setting, the entry with its id takes precedence, then the first pattern that has it. */
  find(id: string): Model {
    const cached = this.#models.get(id)
    if (cached !== undefined) return cached
    const own = this.#own.filter(({ matches }) => matches(id))
    const matching = [...own, ...this.#catalog.filter(({ matches }) => matches(id))]
    const entry: ModelEntry = Object.assign({}, ...matching.map(({ entry }) => entry).reverse())
    const model = { ...entry, listed: own.length > 0 }
    this.#models.set(id, model)
    return model
  }

  /** Returns the behavior of a task. For each setting, the most specific level takes precedence. */
  behavior(kind: Kind, model: Model, override: Behavior | undefined): TaskBehavior {
    const defaults = this.#defaults
    const general = this.#kinds[kind]
    return {
      queueing: override?.queueing ?? model.queueing ?? general?.queueing ?? defaults.queueing,
      delay: override?.delay ?? model.delay ?? general?.delay ?? defaults.delay,
      failures: override?.failures ?? model.failures ?? general?.failures ?? defaults.failures,
      price: override?.price ?? model.price ?? general?.price ?? defaults.price,
      output: override?.output ?? model.output ?? general?.output ?? defaults.output,
      reply: override?.reply ?? model.reply ?? general?.reply ?? defaults.reply,
      files: override?.files ?? model.files ?? general?.files ?? defaults.files,
    }
  }

  /**
   * Returns the limits of the inputs of a model. Rules cannot override them, because rules apply to accepted tasks
   * only.
   */
  mediaSettings(kind: Kind, model: Model): MediaSettings {
    const defaults = this.#defaults
    const general = this.#kinds[kind]
    return {
      lenient: model.lenient ?? general?.lenient ?? defaults.lenient,
      limits: model.limits ?? general?.limits ?? defaults.limits,
    }
  }
}

/** Adds to each kind the settings that it inherits from another kind. */
function withInherited(kinds: ScenarioSettings['kinds']): ScenarioSettings['kinds'] {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, own]) => [name, { ...kinds[own?.like ?? ''], ...own }]),
  )
}

/** Most scenarios have the same catalog, which is large. */
const listings = oncePer(prepare)

/** Prepares entries: ids first, then patterns in the order of the file. */
function prepare(entries: ScenarioSettings['models']): Listing[] {
  const all = Object.entries(entries).map(([pattern, entry]) => ({
    pattern,
    matches: globMatcher(pattern),
    entry,
  }))
  const isPattern = ({ pattern }: { pattern: string }) => pattern.includes('*')
  return [...all.filter((listing) => !isPattern(listing)), ...all.filter(isPattern)]
}
