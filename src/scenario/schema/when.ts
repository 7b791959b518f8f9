import * as v from 'valibot'
import { patternMatcher } from '../../engine/pattern/matcher.js'
import { PatternError } from '../../engine/pattern/parse-pattern.js'
import { kind } from './by-kind.js'
import { anyOf, byName, closed } from './forms.js'
import {
  checkBounds,
  checkFields,
  convertWith,
  described,
  duration,
  integerFrom,
  number,
  oneOf,
  optional,
  SHARE_FORM,
  share,
  Unreadable,
} from './parts.js'

/** The conditions of rules, faults, limits and webhook faults: on the task, the time and the frequency. */

const pattern = v.pipe(
  v.string(),
  convertWith((text: string) => {
    try {
      patternMatcher(text)
      return text
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      return new Unreadable(error.message)
    }
  }),
)

const fieldTest = anyOf(
  'expected a value to equal, { matches: regular expression } or { min, max }',
  v.string(),
  number,
  v.boolean(),
  v.null(),
  v.pipe(
    closed('FieldTest', {
      matches: optional(
        pattern,
        'A regular expression to find in the field, without lookarounds and backreferences',
      ),
      ignore_case: optional(v.boolean(), 'Whether to ignore the case of letters', false),
      min: optional(number, 'The smallest number'),
      max: optional(number, 'The largest number'),
    }),
    checkBounds(),
    v.check(
      ({ matches, min, max }) => (matches === undefined) !== (min === undefined && max === undefined),
      'set either `matches`, or `min`, `max` or both',
    ),
  ),
)

const times = {
  min: optional(integerFrom(1), 'The first number'),
  max: optional(integerFrom(1), 'The last number'),
}

/** Conditions on the task. */
export const taskConditions = {
  model: optional(v.string(), 'A model id; * stands for any characters'),
  kind: optional(kind, 'The kind of the model'),
  dialect: optional(v.string(), 'The name of the dialect of the request, such as tasks'),
  key: optional(v.string(), 'The API key; * stands for any characters'),
  input: optional(
    byName(v.string(), fieldTest),
    'Fields of the input by name, or by path with dots (messages.0.content)',
  ),
}

/** A condition on the number of tasks with the same model and input. */
export const occurrence = optional(
  anyOf(
    'expected a whole number from 1 up, or { min, max }',
    integerFrom(1),
    v.pipe(closed(times), checkBounds()),
  ),
  'The number of the task among those with the same model and input, counted from 1',
)

/** Conditions on time and frequency. They count the requests or deliveries that meet the other conditions. */
export const frequencyConditions = {
  window: optional(
    v.pipe(
      closed('Window', {
        from: optional(duration, 'The start of the window', '0s'),
        to: optional(duration, 'The end of the window. By default, it has no end'),
      }),
      v.check(
        ({ from = 0, to = Infinity }) => from < to,
        'the window ends before it starts: `from` must be less than `to`',
      ),
    ),
    'A window of time, counted from the activation of the scenario',
  ),
  rate: optional(
    anyOf(
      `expected ${SHARE_FORM}, or { from, to }`,
      share,
      closed('Ramp', {
        from: described(share, 'The share at the start of the window'),
        to: described(share, 'The share at the end of the window'),
      }),
    ),
    'The share of matches to which the rule applies, 0 to 1. With { from, to }, it changes linearly over the window',
  ),
  nth: optional(
    anyOf(
      'expected a whole number from 1 up, { min, max } or { every }',
      integerFrom(1),
      v.pipe(
        closed({ ...times, every: optional(integerFrom(1), 'Every multiple of this number') }),
        checkBounds(),
        v.check(
          ({ min, max, every }) => every === undefined || (min ?? max) === undefined,
          '`every` excludes `min` and `max`: remove one or the other',
        ),
      ),
    ),
    'The number of the match, counted from 1',
  ),
  per: optional(
    oneOf(['task', 'key']),
    'Counts separately for each task or each API key. By default, all matches share one count',
  ),
}

interface Ramp {
  readonly rate?: unknown
  readonly window?: { readonly to?: number | undefined } | undefined
}

/** Checks that a changing rate has the end of its window. */
export function checkRampEnd<Value extends Ramp>() {
  return checkFields<Value>(
    ({ rate, window }) =>
      typeof rate !== 'object' || window?.to !== undefined
        ? undefined
        : 'a rate with `from` and `to` needs a `window` with a `to`',
    'rate',
  )
}
