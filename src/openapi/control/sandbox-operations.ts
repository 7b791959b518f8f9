import type { Descriptions } from '../description.js'
import { anyObject, duration, instant, listOf, name, number, object, ref, text, word } from '../schema.js'
import { BAD_BODY, idOf } from './parameters.js'

/** What makes isolated simulators, and ends them. */
export const SANDBOX_OPERATIONS: Descriptions = {
  'sim.sandboxes.list': {
    path: '/_sim/sandboxes',
    tag: 'Sandboxes',
    summary: 'List the sandboxes',
    answers: { 200: { description: 'All of them', schema: object({ data: listOf(ref('Sandbox')) }) } },
  },
  'sim.sandboxes.create': {
    path: '/_sim/sandboxes',
    tag: 'Sandboxes',
    summary: 'Make a sandbox',
    description: 'An isolated simulator behind an API key of its own, which the answer holds.',
    body: {
      optional: true,
      schema: object({
        'name?': name('Roots its draws: two with the same name and seed make the same tasks'),
        'scenario?': {
          anyOf: [text('One that is shipped'), anyObject('A scenario')],
          description: 'Its scenario; `default` unless given',
        },
        'text?': text('Its scenario in YAML, instead of `scenario`'),
        'seed?': {
          type: ['string', 'integer'],
          minLength: 1,
          maxLength: 200,
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The root of its chance',
        },
        'clock?': word('Whether time runs by itself', ['real', 'manual']),
        'speed?': number('Seconds of service that pass in a second; only with a real clock', {
          exclusiveMinimum: 0,
          maximum: 1_000_000,
        }),
        'start?': instant('When its clock starts; only with a manual clock'),
        'idle?': duration(
          'Real time above 0s without a request after which it is forgotten; 30m unless given',
        ),
      }),
      examples: { 'for a test worker': { name: 'worker-1', scenario: 'flaky', clock: 'manual' } },
    },
    answers: { 201: { description: 'The sandbox', schema: ref('Sandbox') } },
    errors: [...BAD_BODY, 'invalid_scenario', 'conflict'],
  },
  'sim.sandboxes.read': {
    path: '/_sim/sandboxes/{id}',
    tag: 'Sandboxes',
    summary: 'Read a sandbox',
    params: idOf('sandbox'),
    answers: { 200: { description: 'The sandbox', schema: ref('Sandbox') } },
    errors: ['not_found'],
  },
  'sim.sandboxes.delete': {
    path: '/_sim/sandboxes/{id}',
    tag: 'Sandboxes',
    summary: 'End a sandbox and forget all that was in it',
    params: idOf('sandbox'),
    answers: { 200: { description: 'The sandbox, as it was', schema: ref('Sandbox') } },
    errors: ['not_found'],
  },
}
