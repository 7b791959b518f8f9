import { isJsonObject, type JsonObject } from '../../../engine/json.js'
import { Chance } from '../../../engine/random.js'
import { toMicroDollars, type Usage } from '../../../engine/tasks/pricing.js'
import { readMediaSpec } from '../../../kinds/built-in-kinds.js'
import type { ObservedTask } from '../../history/observed-task.js'
import { isSecretField } from '../../recording/redact/secret-names.js'

import { withoutMissing } from '../../without-missing.js'

/** A value of an input that may decide the price, such as a resolution. */
export type Choice = string | number | boolean

/** What decides the cost of a successful task. */
export interface PricedTask {
  /** Whole micro-dollars. */
  readonly cost: number
  readonly usage: Usage
  /** The fields of the input with short values. */
  readonly choices: Readonly<Record<string, Choice>>
}

const KEPT = 2_000
/** A word such as `1080p`, not a text. */
const WORD = /^[\w.:/+-]{1,40}$/

/**
 * A random sample of the successful tasks with a cost, of limited size.
 * @see Vitter, "Random Sampling with a Reservoir", 1985: algorithm R
 */
export class PricedTasks {
  readonly #random
  readonly #kept: PricedTask[] = []
  #count = 0

  constructor(readonly kind: string) {
    this.#random = Chance.of(kind).stream('priced tasks')
  }

  /** How many tasks there are; the sample may have fewer. */
  get count(): number {
    return this.#count
  }

  get sample(): readonly PricedTask[] {
    return this.#kept
  }

  add({ status, costUsd, input, output }: ObservedTask): void {
    if (status !== 'succeeded' || costUsd === undefined) return
    this.#count += 1
    const index = this.#count <= KEPT ? this.#count - 1 : this.#random.int(this.#count)
    if (index >= KEPT) return
    this.#kept[index] = {
      cost: toMicroDollars(costUsd),
      usage: usageOf(this.kind, input, output),
      choices: choicesIn(input ?? {}),
    }
  }
}

function choicesIn(input: JsonObject): Record<string, Choice> {
  const choices: Record<string, Choice> = {}
  for (const [name, value] of Object.entries(input)) {
    if (isSecretField(name)) continue
    if (typeof value === 'number' || typeof value === 'boolean') choices[name] = value
    else if (typeof value === 'string' && WORD.test(value)) choices[name] = value
  }
  return choices
}

/** Inputs of a real service are not limited as those of the simulator are. */
const UNLIMITED = { lenient: true, limits: { images: 1_000_000, seconds: { min: 0, max: 1_000_000 } } }

const INPUT_TOKENS = ['input_tokens', 'prompt_tokens']
const OUTPUT_TOKENS = ['output_tokens', 'completion_tokens']
const SECONDS = ['seconds', 'duration', 'audio_duration']

/** What a successful task consumed, from its output if that says so, otherwise from its input. */
export function usageOf(kind: string, input: JsonObject = {}, output: JsonObject = {}): Usage {
  const media = readMediaSpec(kind, input, UNLIMITED)
  const shown = isJsonObject(output['usage']) ? output['usage'] : {}
  const ordered = {
    images: media?.kind === 'image' ? media.count : undefined,
    seconds: media !== undefined && 'seconds' in media ? media.seconds : undefined,
  }
  return withoutMissing({
    images: imagesIn(output) ?? ordered.images,
    seconds: numberIn(shown, SECONDS) ?? numberIn(output, SECONDS) ?? ordered.seconds,
    inputTokens: numberIn(shown, INPUT_TOKENS),
    outputTokens: numberIn(shown, OUTPUT_TOKENS),
  })
}

function imagesIn({ images }: JsonObject): number | undefined {
  return Array.isArray(images) ? images.length : undefined
}

function numberIn(fields: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'number') return value
  }
  return undefined
}
