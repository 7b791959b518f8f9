import type { EntryShape } from '../control/shapes.js'
import type { ScenarioInput } from '../scenario/language/scenario-input.generated.js'

/** Which scenario: the name of a shipped one, YAML or JSON, or an object. */
export type ScenarioChoice =
  | {
      /** The name of a shipped one. */
      readonly name: string
    }
  | {
      /** YAML or JSON. */
      readonly text: string
    }
  | {
      /** As it is written in code. */
      readonly scenario: ScenarioInput
    }

/** Whatever is in force. */
type NoChoice = { [Field in 'name' | 'text' | 'scenario']?: never }

/** What to try out: a scenario, the one in force unless given, and how. */
export type PreviewOptions = (ScenarioChoice | NoChoice) & {
  /** The id of a model; the models of the scenario unless given. */
  readonly model?: string
  /** How many create requests to send for each model, 1 to 2000; 300 unless given. */
  readonly tasks?: number
}

/** Which tasks to list; all unless given. */
export interface TaskQuery {
  /** Such as `failed`. */
  readonly status?: string
  /** The very id. */
  readonly model?: string
  /** What the model makes, such as `video`. */
  readonly kind?: string
  /** The API key that made them, as it is or masked. */
  readonly key?: string
  /** What their id, model, input or error must hold. */
  readonly text?: string
  /** How many at most. */
  readonly limit?: number
  /** The `next_cursor` of the page before. */
  readonly after?: string
}

/** Which lines of the journal to list; all unless given. */
export interface JournalQuery {
  /** The type of line. */
  readonly type?: EntryShape['type']
  /** The id of the task that they are about. */
  readonly task?: string
  /** The API key that it came with, as it is or masked. */
  readonly key?: string
  /** Such as `tasks.create`. */
  readonly operation?: string
  /** The status of the answer. */
  readonly status?: number
  /** Nothing before this instant, ISO 8601. */
  readonly since?: string
  /** Nothing after this instant, ISO 8601. */
  readonly until?: string
  /** How many at most. */
  readonly limit?: number
  /** The `next_cursor` of the page before. */
  readonly after?: string
}

/** Which deliveries to list; all unless given. */
export interface DeliveryQuery {
  /** The id of the task that they tell of. */
  readonly task?: string
  /** Its id or its URL. */
  readonly receiver?: string
  /** Where they stand. */
  readonly state?: 'pending' | 'delivered' | 'given_up' | 'lost'
  /** How many at most. */
  readonly limit?: number
  /** The `next_cursor` of the page before. */
  readonly after?: string
}

/** A receiver as a scenario writes it in full. */
export interface NewReceiver {
  /** Where webhooks go. */
  readonly url: string
  /** Its own signing secret; the scenario's unless given. */
  readonly secret?: string
  /** The secret before a rotation, which the webhook fault `previous_secret` signs with. */
  readonly previous_secret?: string
  /** The events that it gets, such as `task.failed`; all unless given. */
  readonly events?: readonly string[]
  /** Durations such as `5s`. */
  readonly retries?: readonly string[]
  /** How long an attempt may take, such as `5s`. */
  readonly timeout?: string
  /** Whether it gets one event after the other, each when the one before it has ended. */
  readonly ordered?: boolean
}

/** What a sandbox has of its own. */
export interface NewSandbox {
  /** Roots its draws: two sandboxes with the same name and seed make the same tasks. */
  readonly name?: string
  /** The name of a shipped one, or one as an object; or else `text`. */
  readonly scenario?: string | ScenarioInput
  /** A scenario as YAML or JSON, in place of `scenario`. */
  readonly text?: string
  /** The root of its chance; the scenario's unless given. */
  readonly seed?: string
  /** Whether time passes by itself; as in the simulator that it belongs to unless given. */
  readonly clock?: 'real' | 'manual'
  /** Seconds of service that pass in a real second. */
  readonly speed?: number
  /** The instant at which a manual clock starts, ISO 8601. */
  readonly start?: string
  /** Real time without a request after which it is forgotten, such as `30m`. */
  readonly idle?: string
}
