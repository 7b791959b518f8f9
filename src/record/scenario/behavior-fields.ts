import type { JsonObject } from '../../engine/json.js'
import type { Price } from '../../engine/tasks/pricing.js'
import type { LearnedDelay } from '../learn/delay.js'
import type { LearnedBehavior, LearnedFailures } from '../learn/learn.js'
import { roundestBetween } from '../round-number.js'
import type { CommentedYaml, Path } from './commented.js'
import { countsText, delayText, failuresText, priceText } from './comments.js'
import { type SpreadText, spreadText } from './durations.js'

/** The learned fields of a model or a kind, as a scenario file writes them. */
export interface BehaviorFields {
  readonly kind?: string | undefined
  readonly queueing: SpreadText | undefined
  readonly delay: SpreadText | undefined
  readonly failures: FailureFields | undefined
  readonly price: Price | undefined
  readonly output: JsonObject | undefined
}

interface FailureFields {
  readonly rate: number
  readonly errors:
    | readonly { readonly code: string; readonly message: string; readonly weight: number }[]
    | undefined
}

/** A rate is rounded within this part of its 95 % interval. */
const ROUNDING = 0.1

/** The fields of a model or a kind. */
export function behaviorFields({
  queueing,
  delay,
  failures,
  price,
  output,
}: LearnedBehavior): BehaviorFields {
  return {
    queueing: queueing && spreadText(queueing.spread),
    delay: delay && spreadText(delay.spread),
    failures: failures && failureFields(failures),
    price: price?.price,
    output,
  }
}

function failureFields({ rate, interval: [low, high], errors }: LearnedFailures): FailureFields {
  const listed = errors.map(({ code, message, count }) => ({ code, message, weight: count }))
  return {
    rate: roundestBetween(rate - ROUNDING * (rate - low), rate + ROUNDING * (high - rate)),
    errors: listed.length === 0 ? undefined : listed,
  }
}

/** Adds the samples, figures and gaps of a model or a kind as comments. */
export function addComments(file: CommentedYaml, path: Path, behavior: LearnedBehavior): void {
  const { counts, queueing, delay, failures, price, gaps } = behavior
  file.inside(path, [countsText(counts), ...gaps.map((gap) => `Not learned: ${gap}`)].join('\n'))
  for (const [name, spans] of [
    ['queueing', queueing],
    ['delay', delay],
  ] as const) {
    if (spans === undefined) continue
    file.above([...path, name], delayText(spans))
    if (!hasPercentiles(spans)) file.onOneLine([...path, name])
  }
  if (failures !== undefined) file.above([...path, 'failures'], failuresText(failures))
  if (price !== undefined) {
    file.above([...path, 'price'], priceText(price))
    file.onOneLine([...path, 'price'])
  }
  for (const index of failures?.errors.keys() ?? []) file.onOneLine([...path, 'failures', 'errors', index])
}

/** Percentiles are too many for one line. */
function hasPercentiles({ spread }: LearnedDelay): boolean {
  return typeof spread === 'object' && 'percentiles' in spread
}
