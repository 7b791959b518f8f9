import * as v from 'valibot'
import { AUDIO_FORMATS, IMAGE_FORMATS } from '../../../engine/assets/media-order.js'
import { closed, orElse } from './forms.js'
import { inBounds, numberFrom, oneOf, optional, some, text, wholeFrom } from './parts.js'

/** What a scenario may let models make at the most, so that no input takes the simulator down. */
const LONGEST_SIDE = 8_192
const LONGEST_SECONDS = 600
const MOST_IMAGES = 100

function bounds<Bound extends v.GenericSchema<number, number>>(bound: Bound) {
  return v.pipe(closed({ min: optional(bound, 'At least'), max: optional(bound, 'At the most') }), inBounds())
}

const limits = closed('MediaLimits', {
  side: optional(bounds(wholeFrom(1, LONGEST_SIDE)), 'Of a picture, in pixels; 16 to 4096 unless given'),
  images: optional(wholeFrom(1, MOST_IMAGES), 'How many pictures a task may ask for; 16 unless given'),
  seconds: optional(
    bounds(numberFrom(0.1, LONGEST_SECONDS)),
    'Of a video or a sound; 0.5 to 60 and 0.5 to 300 unless given',
  ),
  formats: optional(
    some(oneOf([...IMAGE_FORMATS, ...AUDIO_FORMATS])),
    'Of pictures or sounds; all of them unless given',
  ),
})

/** What a model, a kind or the defaults may say of what can be ordered. */
export const mediaSettings = {
  lenient: optional(
    v.boolean(),
    'true: what a model cannot make is replaced by what is nearest, instead of being refused',
  ),
  limits: optional(limits, 'What a model can make'),
}

/** Files of one's own. One path becomes a list of one, until whoever reads the disk has looked what is there. */
export const ownFiles = optional(
  orElse(
    'expected the path of a file or a folder, or a list of paths',
    v.pipe(
      text,
      v.transform((path) => [path]),
    ),
    some(text),
  ),
  'Files that are handed out instead of made ones: a file, a folder or a list, seen from this file',
)
