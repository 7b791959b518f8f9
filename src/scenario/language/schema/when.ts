import * as v from 'valibot'
import { patternMatcher } from '../../../engine/pattern/matcher.js'
import { PatternError } from '../../../engine/pattern/pattern-error.js'
import { KINDS } from '../../../engine/tasks/task.js'
import { byName, closed, orElse } from './forms.js'
import {
  described,
  duration,
  inBounds,
  isPossible,
  number,
  oneOf,
  optional,
  readAs,
  SHARE_FORM,
  share,
  Unreadable,
  wholeFrom,
} from './parts.js'

/** The conditions of rules, faults, limits and webhook faults: which task, which time, how often. */

const pattern = v.pipe(
  v.string(),
  readAs((text: string) => {
    try {
      patternMatcher(text)
      return text
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      return new Unreadable(error.message)
    }
  }),
)

const fieldTest = orElse(
  'expected a value to equal, { matches: regular expression } or { min, max }',
  v.string(),
  number,
  v.boolean(),
  v.null(),
  v.pipe(
    closed('FieldTest', {
      matches: optional(
        pattern,
        'A regular expression that is found in the field; without lookarounds and backreferences',
      ),
      ignore_case: optional(v.boolean(), 'Whether upper and lower case are the same', false),
      min: optional(number, 'The field is a number from this up'),
      max: optional(number, 'The field is a number up to this'),
    }),
    inBounds(),
    v.check(
      ({ matches, min, max }) => (matches === undefined) !== (min === undefined && max === undefined),
      'give either `matches`, or `min` and `max` or one of them',
    ),
  ),
)

const times = {
  min: optional(wholeFrom(1), 'From this time on'),
  max: optional(wholeFrom(1), 'Up to this time'),
}

/** Which tasks. */
export const ofTask = {
  model: optional(v.string(), 'A model id; * stands for any characters'),
  kind: optional(oneOf(KINDS), 'What the model makes'),
  key: optional(v.string(), 'The API key; * stands for any characters'),
  input: optional(
    byName(v.string(), fieldTest),
    'Fields of the input by name, or by path with dots (messages.0.content)',
  ),
}

/** Which time that this very model and input are asked for. */
export const occurrence = optional(
  orElse(
    'expected a whole number from 1 up, or { min, max }',
    wholeFrom(1),
    v.pipe(closed(times), inBounds()),
  ),
  'Which time it is that this very model and input are asked for, counted from 1',
)

/** When, and how often, counted over what the other conditions let through. */
export const ofOccasion = {
  window: optional(
    v.pipe(
      closed('Window', {
        from: optional(duration, 'When it begins', '0s'),
        to: optional(duration, 'When it is over; never unless given'),
      }),
      v.check(
        ({ from = 0, to = Infinity }) => from < to,
        'the window ends before it starts: `from` must be less than `to`',
      ),
    ),
    'A span of the clock, counted from when the scenario came into force',
  ),
  rate: optional(
    orElse(
      `expected ${SHARE_FORM}, or { from, to }`,
      share,
      closed('Ramp', {
        from: described(share, 'At the beginning of the window'),
        to: described(share, 'At its end'),
      }),
    ),
    'How often, 0 to 1; with { from, to } it goes from one to the other over the window',
  ),
  nth: optional(
    orElse(
      'expected a whole number from 1 up, { min, max } or { every }',
      wholeFrom(1),
      v.pipe(
        closed({ ...times, every: optional(wholeFrom(1), 'Each that is a multiple of this') }),
        inBounds(),
        v.check(
          ({ min, max, every }) => every === undefined || (min ?? max) === undefined,
          '`every` cannot go with `min` and `max`: give one or the other',
        ),
      ),
    ),
    'Which of those that match, counted from 1',
  ),
  per: optional(
    oneOf(['task', 'key']),
    'What is counted for by itself: each task, or each API key; all together otherwise',
  ),
}

interface Ramp {
  readonly rate?: unknown
  readonly window?: { readonly to?: number | undefined } | undefined
}

/** A ramp needs to know where it ends. */
export function rampEnds<Value extends Ramp>() {
  return isPossible<Value>(
    ({ rate, window }) =>
      typeof rate !== 'object' || window?.to !== undefined
        ? undefined
        : 'a rate that goes from one share to another needs a `window` with a `to`',
    'rate',
  )
}
