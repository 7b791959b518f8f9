import {
  type Deviation,
  type DeviationClass,
  deviation,
  type Effect,
  each,
  hasOutput,
  type Traits,
  UNKNOWN_STATUS,
} from './deviation.js'

/** Defines another course of a task that would succeed. */
function course(
  word: string,
  kind: DeviationClass,
  title: string,
  effects: (traits: NonNullable<Traits>) => Effect | readonly Effect[] | undefined,
): Deviation {
  return deviation('task', word, kind, title, (_, { traits }) =>
    traits === undefined || (traits.outcome ?? 'succeeded') !== 'succeeded' ? undefined : effects(traits),
  )
}

/** How a task may end, or what it may lack. */
export const TASKS: readonly Deviation[] = [
  course('failed', 'permanent', 'the task fails', ({ errors = [] }) =>
    errors.length === 0
      ? { plan: { outcome: 'failed' } }
      : errors.map((error) => ({ variant: error.code, plan: { outcome: 'failed' as const, error } })),
  ),
  course('filtered', 'permanent', 'a content filter rejects the output', () => ({
    plan: {
      outcome: 'failed',
      error: { code: 'content_policy', message: 'The output was rejected by the content filter.' },
    },
  })),
  course('canceled', 'permanent', 'the service cancels the task', () => ({ plan: { outcome: 'canceled' } })),
  course('stuck', 'permanent', 'the task never ends', () => ({ plan: { outcome: 'stuck' } })),
  course('slower', 'either', 'the task takes ten times as long', ({ duration = 0 }) => ({
    plan: { slower: 10 },
    delays: 9 * duration,
  })),
  course('no_output', 'permanent', 'the task succeeds without an output', (traits) =>
    hasOutput(traits) ? { changes: each(traits.outputFields, undefined) } : undefined,
  ),
  course('unknown_status', 'permanent', 'the task ends in an unknown state', ({ statusField }) =>
    statusField === undefined ? undefined : { changes: { [statusField]: UNKNOWN_STATUS } },
  ),
  course('missing_fields', 'either', 'the task lacks its optional fields', ({ optionalFields }) =>
    optionalFields.length === 0 ? undefined : { changes: each(optionalFields, undefined) },
  ),
  course('null_fields', 'either', 'the optional fields of the task are null', ({ optionalFields }) =>
    optionalFields.length === 0 ? undefined : { changes: each(optionalFields, null) },
  ),
  course('fewer_files', 'either', 'the task has one file less than ordered', ({ files = 1 }) =>
    files < 2 ? undefined : { plan: { files: files - 1 } },
  ),
  course('more_files', 'either', 'the task has one file more than ordered', ({ files }) =>
    files === undefined ? undefined : { plan: { files: files + 1 } },
  ),
]
