import { z } from 'zod'
import { AUDIO_FORMATS, IMAGE_FORMATS } from '../asset/media-order.js'
import { closed, inBounds, oneOf, ordered, orElse } from './schema-parts.js'

/** What a scenario may let models make at the most, so that no input takes the simulator down. */
const LONGEST_SIDE = 8_192
const LONGEST_SECONDS = 600
const MOST_IMAGES = 100

const side = z.int().min(1).max(LONGEST_SIDE)
const seconds = z.number().min(0.1).max(LONGEST_SECONDS)
const SMALLEST = { description: 'At least' }
const LARGEST = { description: 'At the most' }

const limits = closed({
  side: closed({ min: side.optional().meta(SMALLEST), max: side.optional().meta(LARGEST) })
    .refine(inBounds, ordered('min', 'max'))
    .optional()
    .meta({ description: 'Of a picture, in pixels; 16 to 4096 unless given' }),
  images: z
    .int()
    .min(1)
    .max(MOST_IMAGES)
    .optional()
    .meta({ description: 'How many pictures a task may ask for; 16 unless given' }),
  seconds: closed({ min: seconds.optional().meta(SMALLEST), max: seconds.optional().meta(LARGEST) })
    .refine(inBounds, ordered('min', 'max'))
    .optional()
    .meta({ description: 'Of a video or a sound; 0.5 to 60 and 0.5 to 300 unless given' }),
  formats: z
    .array(oneOf([...IMAGE_FORMATS, ...AUDIO_FORMATS]))
    .min(1)
    .optional()
    .meta({ description: 'Of pictures or sounds; all of them unless given' }),
})

/** What a model, a kind or the defaults may say of what can be ordered. */
export const mediaSettings = {
  lenient: z.boolean().optional().meta({
    description: 'true: what a model cannot make is replaced by what is nearest, instead of being refused',
  }),
  limits: limits.optional().meta({ description: 'What a model can make' }),
}

const path = z.string().min(1)

/** Files of one's own. One path becomes a list of one, until whoever reads the disk has looked what is there. */
export const ownFiles = orElse(
  'expected the path of a file or a folder, or a list of paths',
  path.transform((one) => [one]),
  z.array(path).min(1),
).meta({
  description:
    'Files that are handed out instead of made ones: a file, a folder or a list, seen from this file',
})
