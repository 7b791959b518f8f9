import * as v from 'valibot'
import { AUDIO_FORMATS, IMAGE_FORMATS } from '../../engine/assets/media-spec.js'
import type { JsonObject } from '../../engine/json.js'
import { InputError } from '../../engine/tasks/kinds.js'
import { isTerminal, OUTCOMES, STATUSES } from '../../engine/tasks/task.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { KIND_NAMES, kindNamed } from '../../kinds/built-in-kinds.js'
import { builtInKinds } from '../../kinds/produce.js'
import { isVideoSize } from '../../kinds/video/video.js'
import {
  checkFields,
  closed,
  count,
  type FieldFlaw,
  flag,
  instant,
  job,
  jsonObject,
  list,
  milliseconds,
  name,
  numberFrom,
  oneOf,
  ordinal,
  planned,
  text,
  visible,
  webUrl,
  wholeFrom,
} from './leaves.js'
import { variant } from './own-schemas.js'
import { webhookFault } from './settings.js'

/** An input that takes more memory than this has no place in the default budget, and would reject all others. */
const MOST_INPUT_BYTES = 400_000_000

const taskError = closed({ code: text, message: text })

/** A scenario and a directive allow less. */
const dollars = v.optional(numberFrom(0, 1e12))

const plan = {
  outcome: oneOf(OUTCOMES),
  queueing: milliseconds,
  end: v.union(
    [closed({ after: milliseconds }), closed({ polls: ordinal })],
    'an object with `after` or `polls`',
  ),
  error: v.optional(taskError),
  price: closed({
    per_task: dollars,
    per_image: dollars,
    per_second: dollars,
    per_million_input_tokens: dollars,
    per_million_output_tokens: dollars,
  }),
  output: v.optional(jsonObject),
  reply: v.optional(
    closed({
      text: v.optional(text),
      calls: v.optional(v.union([oneOf(['auto', 'always', 'never']), closed({ tool: name })])),
      finish_reason: v.optional(name),
    }),
  ),
  files: v.optional(v.pipe(list(name), v.minLength(1, 'a list that is not empty'))),
  rule: v.optional(text),
  webhookFault: v.optional(webhookFault),
}

/** The largest outputs that a scenario may allow. */
const side = wholeFrom(1, 8_192)
const seconds = numberFrom(0, 600)

const media = variant('kind', [
  closed({
    kind: v.literal('image'),
    width: side,
    height: side,
    format: oneOf(IMAGE_FORMATS),
    count: wholeFrom(1, 100),
  }),
  closed({
    kind: v.literal('video'),
    width: side,
    height: side,
    format: v.literal('mp4'),
    seconds,
    count: v.optional(wholeFrom(2, 4)),
    sound: flag,
  }),
  closed({ kind: v.literal('audio'), format: oneOf(AUDIO_FORMATS), seconds }),
  closed({ kind: v.literal('transcript'), seconds }),
])

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isListOf = (isItem: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem)

/** The values that wire formats keep and code reads. Templates read others, which may be of any type. */
const KEPT: Readonly<Record<string, (value: unknown) => boolean>> = {
  base: isTextOrNull,
  path: isText,
  sandbox: isTextOrNull,
  partition: isText,
  object: isText,
  events: isListOf(isText),
  webhookUrls: isListOf((url) => isText(url) && httpUrl(url) !== undefined),
}

const extra = v.pipe(
  jsonObject,
  checkFields((values) => {
    for (const [field, isValid] of Object.entries(KEPT))
      if (Object.hasOwn(values, field) && !isValid(values[field]))
        return { field, message: 'what the wire format keeps there' }
    return undefined
  }),
)

/** In milliseconds. */
const interval = v.optional(wholeFrom(1))

const task = {
  id: visible,
  owner: text,
  dialect: name,
  model: text,
  kind: name,
  baseKind: oneOf(KIND_NAMES),
  input: jsonObject,
  inputBytes: wholeFrom(0, MOST_INPUT_BYTES),
  identity: count,
  webhookUrl: v.optional(webUrl),
  origin: text,
  extra: v.optional(extra),
  media: v.optional(media),
  follow: v.optional(closed({ logs: interval, outputs: interval })),
  trace: v.optional(closed({ traceparent: visible, tracestate: v.optional(visible) })),
  createdAt: instant,
}

const changing = {
  status: oneOf(STATUSES),
  startedAt: v.optional(instant),
  completedAt: v.optional(instant),
  polls: v.optional(count),
  result: v.optional(closed({ files: wholeFrom(0, 100_000), output: v.optional(jsonObject) })),
  error: v.optional(taskError),
  cost: v.optional(count),
  erasedAt: v.optional(instant),
}

const course = closed({
  ...changing,
  /** What determines its further course. */
  saved: v.optional(
    closed({
      end: v.optional(job),
      start: v.optional(job),
      polls: v.optional(count),
      held: v.optional(flag),
      hasPlace: v.optional(flag),
    }),
  ),
  /** Its place in the order of the ends. */
  ended: v.optional(count),
  /** Set if the task is kept only because a delivery is pending. */
  overdue: v.optional(v.union([v.literal(true), job], 'true or a job')),
  /** Set if the simulator reports the progress of the task. */
  followed: v.optional(
    closed({
      reported: list(closed({ topic: oneOf(['logs', 'outputs']), count, earliest: planned })),
      isReady: flag,
      job: v.optional(job),
    }),
  ),
  /** The number of parts of its output that were sent. */
  sentParts: v.optional(count),
})

type Changing = Pick<
  v.InferOutput<typeof course>,
  'status' | 'startedAt' | 'completedAt' | 'result' | 'error'
>

/** The field without which a task cannot be in its state; undefined if it has all. */
function missingField({ status, startedAt, completedAt, result, error }: Changing): FieldFlaw | undefined {
  const message = `the field of a task that is ${status}`
  if (isTerminal(status) && completedAt === undefined) return { field: 'completedAt', message }
  if (status === 'processing' && startedAt === undefined) return { field: 'startedAt', message }
  if (status === 'succeeded' && result === undefined) return { field: 'result', message }
  return status === 'failed' && error === undefined ? { field: 'error', message } : undefined
}

/** Ended tasks have a place in the order of the ends. */
function flawOfEnd({ status, ended }: v.InferOutput<typeof course>): FieldFlaw | undefined {
  if (isTerminal(status) === (ended !== undefined)) return undefined
  return {
    field: 'ended',
    message: `${isTerminal(status) ? 'a place' : 'no place'} for a task that is ${status}`,
  }
}

interface WithMedia {
  readonly baseKind: string
  readonly media?: v.InferOutput<typeof media> | undefined
}

/** Every kind has its own media, and a video has one of the sizes that can be rendered. */
function flawOfMedia({ baseKind, media }: WithMedia): FieldFlaw | undefined {
  const expected = kindNamed(baseKind)?.order === undefined ? undefined : baseKind
  if (media?.kind !== expected)
    return {
      field: 'media',
      message: expected === undefined ? 'no media' : `the media of a kind ${expected}`,
    }
  return media?.kind === 'video' && !isVideoSize(media)
    ? { field: 'media', message: 'a supported size of a video' }
    : undefined
}

/** The input of a task is one that its kind accepts. */
function flawOfInput({ baseKind, input }: { baseKind: string; input: JsonObject }): FieldFlaw | undefined {
  try {
    builtInKinds.check(baseKind, input, true)
    return undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { field: error.path, message: error.expected }
  }
}

/** The fields of a task that change, and what determines its further course. */
export const courseRow = v.pipe(course, checkFields(missingField), checkFields(flawOfEnd))

/** The first row of a task. Only its course has the fields that change. */
export const taskRow = v.pipe(
  closed({
    ...task,
    // A recorded course is found again by its id.
    plan: closed({ ...plan, recorded: v.optional(closed({ id: visible })) }),
    course: courseRow,
  }),
  checkFields(flawOfMedia),
  checkFields(flawOfInput),
)

/** A task as the journal has recorded it. The input of a large one is only its prompt. */
export const recordedTask = v.pipe(
  closed({ ...task, ...changing, plan: closed(plan) }),
  checkFields(missingField),
  checkFields(flawOfMedia),
)
