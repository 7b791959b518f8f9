import { RUN_RESULTS } from '../../engine/exploration/run-result.js'
import { closed } from './forms.js'
import { described, oneOf, text } from './parts.js'

/** A result of an exploration that is right, although the rules say otherwise. */
export const expectedResult = closed('ExpectedResult', {
  place: described(text, 'The place, such as `tasks.create#1`; * stands for any characters'),
  deviation: described(text, 'The deviation, such as `lost`; * stands for any characters'),
  expect: described(oneOf(RUN_RESULTS), 'The result that is right'),
  because: described(text, 'Why it is right'),
})
