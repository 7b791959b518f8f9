/**
 * The ids of all rules, in the order of reports: types, schemas, checks of settings and tests of the docs derive from
 * this list. The rules themselves are loaded on first use.
 */
export const FINDING_IDS = [
  'pays-twice',
  'orphans-task',
  'unknown-fields',
  'polls-too-fast',
  'polls-after-end',
  'polls-without-end',
  'gives-up-after-failed-poll',
  'stops-at-unknown-status',
  'result-never-learned',
  'result-never-fetched',
  'takes-unfinished-for-result',
  'output-never-downloaded',
  'downloads-some-outputs',
  'fetched-after-expiry',
  'url-altered',
  'hot-linked',
  'keeps-output-url',
  'key-sent-to-file-host',
  'key-missing',
  'ignores-retry-after',
  'retries-rejected',
  'list-not-followed',
  'mixed-path-forms',
  'uses-ended-api',
  'accepts-forged-webhook',
  'accepts-old-secret',
  'accepts-old-timestamp',
  'fails-on-bad-signature',
  'rejects-reformatted-webhook',
  'slow-webhook',
  'redirects-webhook',
  'relies-on-webhook-alone',
  'processes-webhook-twice',
] as const
/** The id of a rule. */
export type FindingId = (typeof FINDING_IDS)[number]
