import * as v from 'valibot'
import { OBSERVABLE } from '../../engine/observation.js'
import { RULE_LISTS } from '../../inspect/applied/application-counters.js'
import { SEVERITIES } from '../../inspect/findings/finding.js'
import { FINDING_IDS } from '../../inspect/findings/ids.js'
import { count, flag, instant, list, shape, text, word } from './parts.js'

export const Evidence = shape('When and where a finding was observed', {
  at: instant('When it was observed'),
  seen: text('What was observed'),
  task_id: v.optional(text('The id of the task')),
  model: v.optional(text('The model of the task')),
  prompt: v.optional(text('The start of its prompt in one line, without what looks like a secret')),
  request_ids: v.optional(list(v.string(), 'The requests that show it; look them up in the journal')),
  delivery_ids: v.optional(list(v.string(), 'The deliveries that show it')),
})

export const Finding = shape('One thing that the client under test did wrong', {
  id: word(FINDING_IDS, 'The id of the rule'),
  severity: word(
    SEVERITIES,
    'An `error` costs money or loses results, a `warning` is likely to cause trouble later, a `note` is for information',
  ),
  title: text('What is wrong, in a few words'),
  why: text('Why it matters in production'),
  remedy: text('How to fix it'),
  count: count(
    'How often it was observed; the evidence covers the first twenty observations, unless all are asked for',
  ),
  last_at: instant('When it was observed last'),
  evidence: list(Evidence, 'When and where it was observed'),
})

export const Verdict = shape('What the client under test did wrong, and what was checked', {
  findings: list(Finding, 'What the client did wrong, the most severe first'),
  checked: list(
    v.strictObject({
      id: word(FINDING_IDS, 'The id of the rule'),
      title: text('The mistake, in a few words'),
      state: word(
        ['ok', 'found', 'not_observed', 'ignored', 'not_applicable'],
        'The result; `not_observed`: nothing happened that the rule could check; `not_applicable`: a proxy that records a service does not see what the rule is about',
      ),
      needs: v.optional(word(OBSERVABLE, 'The observation that a test must supply')),
      reason: v.optional(text('Why the rule is not applicable or was not observed')),
      provoke: v.optional(
        text('What gives the client an occasion for the mistake, if the rule was not observed'),
      ),
    }),
    'Every rule and its result',
  ),
  applied: list(
    v.strictObject({
      list: word(RULE_LISTS, 'The list of the scenario that contains the rule'),
      name: text('Its name or, without one, its path in the scenario', { examples: ['faults[0]'] }),
      definition: text('The start of its effect and its conditions, in the words of a scenario file', {
        examples: ['503 for tasks.retrieve, nth 2'],
      }),
      scenario: text('The scenario that defines it'),
      line: v.optional(count('Its line in the text of that scenario, if there is one')),
      inherited: flag('Whether the active scenario only extends that scenario'),
      shipped: flag('Whether tasksim ships that scenario'),
      count: count('How often it has applied since the scenario became active; 0: it has tested nothing'),
    }),
    'The rules and faults of the scenario, and how often each has applied',
  ),
})

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
