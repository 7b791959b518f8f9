import type { JsonObject } from '../engine/json.js'
import type { Holder } from '../engine/memory/budget.js'

/** A page of a list, newest first. */
export interface Page<Item> {
  /** What the page holds, the newest first. */
  readonly data: readonly Item[]
  /** Whether older ones follow. */
  readonly has_more: boolean
  /** Pass it as `after` to get the next page. */
  readonly next_cursor: string | null
}

/** Tells that the server answers. */
export interface HealthShape {
  /** Always so: a server that is not well does not answer. */
  readonly status: 'ok'
}

/** What time it is in a simulator, and how it passes. */
export interface ClockShape {
  /** What time it is. */
  readonly now: string
  /** `manual` stands still until it is turned. */
  readonly mode: 'real' | 'manual'
  /** Seconds of service that pass in a real second; 0 while a manual clock stands still. */
  readonly speed: number
  /** When something is planned. */
  readonly next: string | null
}

/** What a simulator and its sandboxes retain in memory, as an estimate. */
interface MemoryShape {
  /** Bytes, all together. */
  readonly used_bytes: number
  /** What `keepBytes` or --keep-bytes allows; null if nothing is bounded. */
  readonly limit_bytes: number | null
  /** Bytes by what retains them. */
  readonly holders: Readonly<Partial<Record<Holder, number>>>
}

/** A simulator at a glance. */
export interface StateShape {
  /** The id of the sandbox; null in the simulator that is none. */
  readonly sandbox: string | null
  /** What is in force: its name or the path of its file, and what it says of itself, which may be empty. */
  readonly scenario: Pick<ScenarioShape, 'name' | 'description'>
  /** The root of all chance. */
  readonly seed: string
  /** What time it is. */
  readonly clock: ClockShape
  /** How many tasks are in each state, those included that are forgotten. */
  readonly tasks: Readonly<Record<string, number>>
  /** How many requests were answered. */
  readonly requests: number
  /** How many webhooks are in each state. */
  readonly deliveries: Readonly<Record<string, number>>
  /** What successful tasks have cost, in US dollars. */
  readonly spent_usd: number
  /** How many sandboxes there are. */
  readonly sandboxes: number
  /** What is retained in memory, together with the sandboxes. */
  readonly memory: MemoryShape
  /** The number of the newest line of the journal. */
  readonly journal: number
}

/** A task as whoever controls the simulator sees it, with what the client does not get to see. */
export interface TaskShape {
  /** Such as `task_82wsE0eJdLYSLPR9BIkYOFzx`. */
  readonly id: string
  /** What it runs, such as `acme/image-1`. */
  readonly model: string
  /** What the model makes: `image`, `video`, `audio`, `tool` or `llm`. */
  readonly kind: string
  /** The API key, masked. */
  readonly key: string
  /** `queued`, `processing`, `succeeded`, `failed` or `canceled`. */
  readonly status: string
  /** The model's parameters, as the client sent them. */
  readonly input: JsonObject
  /** Of a success, until it is no longer kept. */
  readonly output?: JsonObject | undefined
  /** Of a failure. */
  readonly error?: TaskErrorShape | undefined
  /** What it cost in US dollars, once it has ended; 0 unless it has succeeded. */
  readonly cost_usd?: number | undefined
  /** Where the client wants the webhook. */
  readonly webhook_url?: string | undefined
  /** When it was created. */
  readonly created_at: string
  /** When it left the queue; not there while it waits. */
  readonly started_at?: string | undefined
  /** When it ended. */
  readonly completed_at?: string | undefined
  /** Whether it is kept from ending by itself. */
  readonly held: boolean
  /** What will become of it. */
  readonly plan: PlanShape
}

/** Why a task failed, or will fail. */
export interface TaskErrorShape {
  /** A word for programs, such as `content_policy`. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
}

/** As much of a task as one line of a list shows. */
export interface TaskBriefShape {
  /** Such as `task_82wsE0eJdLYSLPR9BIkYOFzx`. */
  readonly id: string
  /** What it runs, such as `acme/image-1`. */
  readonly model: string
  /** What the model makes: `image`, `video`, `audio`, `tool` or `llm`. */
  readonly kind: string
  /** The API key, masked. */
  readonly key: string
  /** `queued`, `processing`, `succeeded`, `failed` or `canceled`. */
  readonly status: string
  /** What was asked for, in at most 200 characters. */
  readonly prompt: string
  /** When it was created. */
  readonly created_at: string
  /** When it left the queue; not there while it waits. */
  readonly started_at?: string | undefined
  /** When it ended. */
  readonly completed_at?: string | undefined
  /** What it cost in US dollars, once it has ended. */
  readonly cost_usd?: number | undefined
  /** The code of its error. */
  readonly error?: string | undefined
  /** Whether it is kept from ending by itself. */
  readonly held: boolean
}

/** What will happen to a task by itself. */
export interface PlanShape {
  /** `succeeded`, `failed`, `canceled`, or `stuck`, which never ends. */
  readonly outcome: string
  /** When it ends, where that is known: it is not while it waits, or where it ends at a poll. */
  readonly ends_at?: string | undefined
  /** The poll at which it ends. */
  readonly ends_at_poll?: number | undefined
  /** What it fails with, where it does. */
  readonly error?: TaskErrorShape | undefined
  /** The rule that decided. */
  readonly rule?: string | undefined
}

/** The scenario in force. */
export interface ScenarioShape {
  /** Its name, or the path of its file. */
  readonly name: string
  /** What it says of itself; may be empty. */
  readonly description: string
  /** As it was written, with placeholders for its secrets; null where it was patched, or made in code. */
  readonly text: string | null
  /** The names of the shipped ones. */
  readonly shipped: readonly string[]
}

/** An isolated simulator behind an API key of its own. */
export interface SandboxShape {
  /** Such as `sb_1`. */
  readonly id: string
  /** The API key that leads into it; keys that begin with it and a dot do as well. It is drawn from the seed, and no secret. */
  readonly api_key: string
  /** The name of its scenario. */
  readonly scenario: string
  /** The root of its chance. */
  readonly seed: string
  /** What time it is in it. */
  readonly now: string
  /** How many tasks were made in it. */
  readonly tasks: number
}

/** The lower and the upper bound of an interval. */
type IntervalShape = readonly [low: number, high: number]

/** What a scenario will do to a client of one model. */
export interface PreviewShape {
  /** What was tried out. */
  readonly model: string
  /** What the model makes. */
  readonly kind: string
  /** How many create requests were sent. */
  readonly requests: number
  /** How many got which answer: a status with its error code, such as `429 rate_limited`, or `none`. */
  readonly answers: Readonly<Record<string, number>>
  /** How many tasks were created. */
  readonly tasks: number
  /** How many tasks ended how; `stuck` never did. */
  readonly outcomes: Readonly<Record<string, number>>
  /** How many failed with which code. */
  readonly errors: Readonly<Record<string, number>>
  /** By percentile, such as `p50`; `p100` is the longest. */
  readonly queue_ms: Readonly<Record<string, number>>
  /** By percentile, such as `p50`. */
  readonly processing_ms: Readonly<Record<string, number>>
  /** How processing times are spread, up to the 99th percentile. */
  readonly histogram: readonly {
    /** Milliseconds. */
    readonly from: number
    /** Milliseconds. */
    readonly to: number
    /** How many tasks took that long. */
    readonly count: number
  }[]
  /** In US dollars. */
  readonly cost_usd: {
    /** Of all tasks together. */
    readonly total: number
    /** Of each task that has succeeded, on average. */
    readonly per_success: number
  }
  /** Webhook attempts, on average. */
  readonly attempts_per_task: number
  /** Intervals that hold the true value with a probability of 95 %, each as its lower and upper bound. */
  readonly confidence_95: {
    /** As shares of the tasks, 0 to 1. */
    readonly outcomes: Readonly<Record<string, IntervalShape>>
    /** As shares of the failed tasks, 0 to 1. */
    readonly errors: Readonly<Record<string, IntervalShape>>
    /** By percentile; `p100` has none. */
    readonly queue_ms: Readonly<Record<string, IntervalShape>>
    /** By percentile; `p100` has none. */
    readonly processing_ms: Readonly<Record<string, IntervalShape>>
    /** Of the mean cost of a success, in US dollars. */
    readonly cost_usd_per_success: IntervalShape
  }
  /** The rate limits and faults that the sample cannot meet, because they are about other requests. */
  readonly excluded: readonly string[]
}
