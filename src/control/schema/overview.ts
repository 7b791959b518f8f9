import * as v from 'valibot'
import { count, described, instant, list, number, orNull, shape, text, word } from './parts.js'

export const CostSeries = shape('What the tasks of one model or one API key cost over time', {
  name: text('The model, or the masked API key; `others` after the first 50', { examples: ['acme/image-1'] }),
  usd: number('The cost in US dollars'),
  steps: list(v.number(), 'The cost in each step, in US dollars'),
})

export const CapacityLimit = shape('A limit on the number of running tasks', {
  scope: word(['everything', 'kind', 'model', 'key'], 'Which tasks share the limit'),
  name: text('The kind, model or masked API key, or a pattern; empty for `everything`'),
  running: count('The maximum number of running tasks'),
  queued: v.optional(count('The maximum number of waiting tasks')),
})

export const FailingReceiver = shape('A receiver whose last attempt failed', {
  url: text('The URL of the receiver, without its secrets'),
  since: instant('When the first of the failures in a row happened'),
  failures: count('How many attempts in a row failed'),
  last_at: instant('When the last attempt started'),
  status: v.optional(count('The HTTP status of the last response')),
  error: v.optional(text('Why there was no response')),
  delivery_id: text('The delivery of the last attempt', { examples: ['dlv_00000001'] }),
  next_attempt_at: v.optional(instant('When the next attempt of that delivery is due')),
})

export const Overview = shape('What the tasks cost, what limits them, and which receivers fail now', {
  spending: described(
    v.strictObject({
      total_usd: number('The cost of all successful tasks, in US dollars'),
      unassigned_usd: number(
        'The part of it that was evicted before the first request for the overview since the start or a reset',
      ),
      from: orNull(instant('When the first step starts; null if nothing was spent')),
      step_ms: count('The length of a step, in milliseconds; steps become longer as time passes'),
      models: list(CostSeries, 'The cost of each model, the most expensive first'),
      keys: list(CostSeries, 'The cost of each API key, the most expensive first'),
    }),
    'Cost over time, in up to 60 steps',
  ),
  limits: list(CapacityLimit, 'The limits on running tasks in the active scenario'),
  failing: list(FailingReceiver, 'The receivers whose last attempt failed, the latest first'),
})
