import * as v from 'valibot'
import { list, shape, text, word } from './parts.js'

export const Run = shape('A run of the client with deviations', {
  id: text('The deviations at their places; `baseline` without any', { examples: ['tasks.create#1:lost'] }),
  deviations: list(
    v.strictObject({
      place: text('Where it goes wrong', { examples: ['tasks.create#1'] }),
      word: text('What goes wrong', { examples: ['lost'] }),
      class: word(
        ['transient', 'permanent', 'either', 'forgery'],
        'What a correct client does: it recovers from a `transient` deviation, reports a `permanent` one, does one of them, or rejects a `forgery`',
      ),
    }),
    'What goes wrong, and where',
  ),
})

export const RunPlan = shape('The places of the present run, and the runs with a deviation at each', {
  data: list(
    v.strictObject({
      id: text('The place', { examples: ['tasks.retrieve#1.processing'] }),
      runs: list(v.string(), 'The ids of the runs with a deviation there'),
    }),
    'The places, in the order of their first request',
  ),
  applied: list(v.string(), 'The deviations of the present run that have applied'),
})
