/** What a choice of the composer does, by the word of its directive. */
type Choices = Readonly<Record<string, string>>

/** How a task ends. */
export const OUTCOMES: Choices = {
  succeeded: 'Succeeds',
  failed: 'Fails',
  canceled: 'Is canceled',
  stuck: 'Never ends',
}

/** Faults of the request. */
export const FAULTS: Choices = {
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
  429: '429 Too Many Requests',
  reset: 'reset: connection closed, no task',
  lost: 'lost: task created, no answer',
  hang: 'hang: no answer, no task',
  unanswered: 'unanswered: task created, the answer never comes',
  cut: 'cut: half of the answer',
  empty: 'empty: no body',
  invalid_json: 'invalid_json: broken JSON',
  html: 'html: 502 with an HTML page',
  wrong_type: 'wrong_type: wrong content type',
}

/** Faults of the webhook. */
export const WEBHOOK_FAULTS: Choices = {
  duplicate: 'duplicate: sent twice',
  duplicate_at_once: 'duplicate_at_once: sent twice, at once',
  before_response: 'before_response: before the answer to the request',
  after_poll: 'after_poll: after a poll has shown the end',
  out_of_order: 'out_of_order: after later events',
  lost: 'lost: never sent',
  truncated: 'truncated: half of the body',
  changed: 'changed: body changed after signing',
  extra_field: 'extra_field: unknown field',
  spaced: 'spaced: other white space',
  reordered: 'reordered: other order of fields',
  wrong_signature: 'wrong_signature',
  no_signature: 'no_signature: header missing',
  empty_signature: 'empty_signature: header empty',
  malformed_signature: 'malformed_signature',
  previous_secret: 'previous_secret: signed with the old secret',
  old_timestamp: 'old_timestamp: signed an hour ago',
}

/** Usual error codes of tasks. */
export const ERROR_CODES = [
  'content_policy',
  'internal_error',
  'invalid_input',
  'timeout',
  'capacity_exceeded',
] as const
