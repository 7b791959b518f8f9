/** The consumption of a task, in the units of {@link Price}. */
export interface Usage {
  readonly images?: number
  /** Seconds of video, generated audio or transcribed audio. */
  readonly seconds?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** The price of a model, in US dollars. The parts add up. */
export interface Price {
  readonly per_task?: number | undefined
  readonly per_image?: number | undefined
  /** Per second of video, generated audio or transcribed audio. */
  readonly per_second?: number | undefined
  readonly per_million_input_tokens?: number | undefined
  readonly per_million_output_tokens?: number | undefined
}

const MICRO = 1_000_000

/** The cost of one successful task, in whole micro-dollars. */
export function costOf(price: Price, usage: Usage): number {
  const dollars =
    (price.per_task ?? 0) +
    (price.per_image ?? 0) * (usage.images ?? 0) +
    (price.per_second ?? 0) * (usage.seconds ?? 0)
  // A dollar per million tokens is a micro-dollar per token.
  const tokens =
    (price.per_million_input_tokens ?? 0) * (usage.inputTokens ?? 0) +
    (price.per_million_output_tokens ?? 0) * (usage.outputTokens ?? 0)
  return Math.round(dollars * MICRO + tokens)
}

/** US dollars as whole micro-dollars. */
export function toMicroDollars(dollars: number): number {
  return Math.round(dollars * MICRO)
}

/** Micro-dollars as US dollars, with up to 6 decimals. */
export function toDollars(microDollars: number): number {
  return microDollars / MICRO
}
