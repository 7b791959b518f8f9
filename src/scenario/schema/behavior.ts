import * as v from 'valibot'
import { AUDIO_FORMATS, IMAGE_FORMATS } from '../../engine/assets/media-spec.js'
import { delay, queueing } from './delay.js'
import { anyOf, closed, jsonObject } from './forms.js'
import {
  checkBounds,
  described,
  integerFrom,
  nonEmptyList,
  number,
  numberFrom,
  oneOf,
  optional,
  share,
  text,
} from './parts.js'

/** The largest outputs that a scenario may allow, so that no input exhausts the simulator. */
const LONGEST_SIDE = 8_192
const LONGEST_SECONDS = 600
const MAX_IMAGES = 100

function bounds<Bound extends v.GenericSchema<number, number>>(bound: Bound) {
  return v.pipe(
    closed({ min: optional(bound, 'The minimum'), max: optional(bound, 'The maximum') }),
    checkBounds(),
  )
}

const limits = closed('MediaLimits', {
  side: optional(
    bounds(integerFrom(1, LONGEST_SIDE)),
    'The sides of an image in pixels. The default is 16 to 4096',
  ),
  images: optional(integerFrom(1, MAX_IMAGES), 'The largest number of images per task. The default is 16'),
  seconds: optional(
    bounds(numberFrom(0.1, LONGEST_SECONDS)),
    'The duration of a video, of an audio file, or of the audio to transcribe. The default is 0.5 to 60 for video, 0.5 to 300 for audio and 0.5 to 600 for transcripts',
  ),
  formats: optional(
    nonEmptyList(oneOf([...IMAGE_FORMATS, ...AUDIO_FORMATS])),
    'The formats of images or audio files. The default is all formats',
  ),
})

/** The limits of inputs, at the level of a model, a kind or the defaults. */
const mediaSettings = {
  lenient: optional(
    v.boolean(),
    'true: the nearest supported value replaces an unsupported one. false: the request is rejected',
  ),
  limits: optional(limits, 'The outputs that a model supports'),
}

/** Files that replace generated outputs. `resolveFiles` expands folders later. */
const ownFiles = optional(
  anyOf(
    'expected the path of a file or a folder, or a list of paths',
    v.pipe(
      text,
      v.transform((path) => [path]),
    ),
    nonEmptyList(text),
  ),
  'Files that replace generated outputs: a file, a folder or a list, with paths relative to the scenario file',
)

/** How an LLM replies. The text also applies to transcripts. */
const reply = closed('Reply', {
  text: optional(
    v.pipe(v.string(), v.maxLength(100_000)),
    'The text of the reply of an LLM, or of a transcript. {{last_user_message}} and {{input.NAME}} insert the input. By default, the text is generated',
  ),
  calls: optional(
    anyOf(
      'expected auto, always, never, or { tool: NAME }',
      oneOf(['auto', 'always', 'never']),
      closed({ tool: described(text, 'The name of the tool') }),
    ),
    'When the model calls a tool from the request: auto (if the last user message contains the name of the tool), always, never, or always the named tool',
  ),
  finish_reason: optional(text, 'Overrides the finish reason, for example with content_filter'),
})

/** The fields of an error of a task. */
export const taskError = {
  code: described(text, 'The error code, such as content_policy'),
  message: described(v.string(), 'The error message'),
}

const failures = closed('Failures', {
  rate: described(share, 'The share of tasks that fail, 0 to 1'),
  errors: optional(
    nonEmptyList(
      closed('WeightedError', {
        ...taskError,
        weight: optional(v.pipe(number, v.gtValue(0)), 'The frequency relative to the other errors', 1),
      }),
    ),
    'The errors of failed tasks. The default is a general error',
  ),
})

const dollars = numberFrom(0, 1_000_000)
const price = closed('Price', {
  per_task: optional(dollars, 'Per task'),
  per_image: optional(dollars, 'Per image'),
  per_second: optional(dollars, 'Per second of video, generated audio or transcribed audio'),
  per_million_input_tokens: optional(dollars, 'Per million input tokens'),
  per_million_output_tokens: optional(dollars, 'Per million output tokens'),
})

/** How tasks behave. */
export const behavior = {
  delay,
  queueing,
  failures: optional(failures, 'The share of tasks that fail, and their errors'),
  price: optional(
    price,
    'The cost of a successful task in US dollars: the sum of all parts. Other tasks are free',
  ),
  output: optional(
    jsonObject,
    'Replaces the output of a successful task. {{file}} inserts the URL of a file, {{input.NAME}} a field of the input',
  ),
  reply: optional(reply, 'How an LLM replies'),
  files: ownFiles,
}

/** The settings of models. */
export const settings = { ...behavior, ...mediaSettings }
/** The settings of models, as a mapping. */
export const modelSettings = closed('ModelSettings', settings)
