import type { MediaSpec } from '../assets/media-spec.js'
import type { Clock } from '../clock/clock.js'
import type { Directive } from '../directive/directive.js'
import type { JsonObject } from '../json.js'
import { bytesOf } from '../memory/bytes-of.js'
import { type Occurrence, OccurrenceCounter } from '../occurrence-counter.js'
import { streamIn } from '../partition.js'
import type { Chance } from '../random.js'
import type { TraceContext } from '../tracing.js'
import { type InputSummary, summarizeSync } from './input.js'
import type { WireFormats } from './kinds.js'
import type { Planner } from './planner.js'
import type { Follow, Kind, Task } from './task.js'

/** The order of a task. */
export interface NewTask {
  /** The API key of the client. */
  readonly owner: string
  /** The name of the wire format of the request; the main one by default. */
  readonly dialect?: string | undefined
  /** The id of the model. */
  readonly model: string
  /** The kind of the model, if the request decides it. */
  readonly kind?: Kind | undefined
  /** The model's parameters. */
  readonly input: JsonObject
  /** The task's own webhook receiver. */
  readonly webhookUrl: string | undefined
  /** The parameters that decide the media; `input` by default. */
  readonly options?: JsonObject | undefined
  /**
   * Whether the nearest possible value replaces one that the media cannot have, unless the scenario has `limits` or
   * `lenient`.
   */
  readonly takesNearest?: boolean | undefined
  /** The scheme and host with which the client reached the API. */
  readonly origin: string
  /** The directive of the request, which overrides the scenario. */
  readonly directive?: Directive | undefined
  /** What to report while the task runs; nothing by default. */
  readonly follow?: Follow | undefined
  /** Values that the wire format needs later. */
  readonly extra?: JsonObject | undefined
  /** The summary of the input; by default, the engine summarizes it. */
  readonly summary?: InputSummary | undefined
  /** Where the create request is in a trace; undefined if tasks are not traced. */
  readonly trace?: TraceContext | undefined
}

/** What an order determines before any draw. */
export interface OrderTraits {
  readonly dialect: string
  readonly kind: Kind
  /** The media that the order requests. */
  readonly media: MediaSpec | undefined
  /** How many bytes the order counts in the memory budget. */
  readonly inputBytes: number
  /** A string that equal orders share. */
  readonly equal: string
}

/** Makes tasks from orders: gives each an id and a plan. The same order at the same occurrence makes the same task. */
export class TaskFactory {
  /** Plans new tasks, by the active scenario. */
  planner: Planner
  /** Counts the tasks for each model and input. */
  occurrences: OccurrenceCounter
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #formats: WireFormats
  /** The name of the stream from which ids are drawn. */
  readonly #idStream: string

  /** @param partition the partition of the server, for ids */
  constructor({
    clock,
    chance,
    planner,
    formats,
    partition,
  }: {
    clock: Clock
    chance: Chance
    planner: Planner
    formats: WireFormats
    partition: string | undefined
  }) {
    this.#clock = clock
    this.#chance = chance
    this.planner = planner
    this.#formats = formats
    this.#idStream = streamIn(partition, 'id')
    this.occurrences = new OccurrenceCounter(chance)
  }

  /** Reads an order. @throws InputError if the model rejects the input */
  read(order: NewTask): OrderTraits {
    const { owner, model, input, webhookUrl, origin, extra } = order
    const { dialect = this.#formats.main, summary = summarizeSync(input) } = order
    const { options = input, takesNearest } = order
    const kind = order.kind ?? this.planner.kindOf(model, input)
    return {
      dialect,
      kind,
      media: this.planner.mediaOf(kind, model, options, takesNearest),
      inputBytes: summary.inputBytes + bytesOf([owner, model, webhookUrl, origin, extra]),
      equal: this.planner.identityOf({ dialect, model, input }, summary.canonical),
    }
  }

  /**
   * Creates a task, with all its fields in this order.
   * @param occurrence that of an equal order; if it was retained, {@link forget} releases it
   * @param hasSlot whether the task runs at once, unless its plan says that it is queued first
   */
  create(
    { owner, model, input, webhookUrl, origin, directive, extra, follow, trace }: NewTask,
    { dialect, kind, media, inputBytes }: OrderTraits,
    { seed, fingerprint: identity, number: occurrence }: Occurrence,
    hasSlot: boolean,
  ): Task {
    const chance = occurrence === 1 ? seed : seed.child(String(occurrence))
    const plan = this.planner.plan({ kind, model, dialect, key: owner, input, occurrence }, chance, directive)
    const runs = hasSlot && plan.queueing === 0
    const now = this.#clock.now()
    return {
      id: plan.recorded?.id ?? this.#formats.drawTaskId(dialect, chance.stream(this.#idStream), extra),
      owner,
      dialect,
      status: runs ? 'processing' : 'queued',
      result: undefined,
      plan,
      model,
      kind,
      baseKind: this.planner.baseOf(kind),
      input,
      inputBytes,
      identity,
      webhookUrl,
      origin,
      extra,
      media: directive === undefined ? media : withCount(media, directive.plan.files),
      follow,
      trace,
      createdAt: now,
      startedAt: runs ? now : undefined,
      completedAt: undefined,
      polls: undefined,
      error: undefined,
      cost: undefined,
    }
  }

  /** Stops counting a task that was deleted. */
  forget({ identity }: Task): void {
    this.occurrences.release(identity)
  }

  /** Forgets all tasks. */
  clear(): void {
    this.occurrences = new OccurrenceCounter(this.#chance)
  }
}

function withCount(media: MediaSpec | undefined, count: number | undefined): MediaSpec | undefined {
  const isCounted = media?.kind === 'image' || media?.kind === 'video'
  return isCounted && count !== undefined ? { ...media, count } : media
}
