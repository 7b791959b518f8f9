import type { FindingRule } from './finding.js'
import { givesUpAfterFailedPoll } from './rules/gives-up-after-failed-poll.js'
import { ignoresRetryAfter } from './rules/ignores-retry-after.js'
import { keyMissing } from './rules/key-missing.js'
import { listNotFollowed } from './rules/list-not-followed.js'
import { mixedPathForms } from './rules/mixed-path-forms.js'
import { orphansTask } from './rules/orphans-task.js'
import {
  fetchedAfterExpiry,
  hotLinked,
  keepsOutputUrl,
  keySentToFileHost,
  outputNeverDownloaded,
  urlAltered,
} from './rules/output-files.js'
import { paysTwice } from './rules/pays-twice.js'
import { pollsAfterEnd } from './rules/polls-after-end.js'
import { pollsTooFast } from './rules/polls-too-fast.js'
import { pollsWithoutEnd } from './rules/polls-without-end.js'
import { processesWebhookTwice } from './rules/processes-webhook-twice.js'
import { reliesOnWebhookAlone } from './rules/relies-on-webhook-alone.js'
import { resultNeverFetched } from './rules/result-never-fetched.js'
import { resultNeverLearned } from './rules/result-never-learned.js'
import { retriesRejected } from './rules/retries-rejected.js'
import { takesUnfinishedForResult } from './rules/takes-unfinished-for-result.js'
import { unknownFields } from './rules/unknown-fields.js'
import { redirectsWebhook, slowWebhook } from './rules/webhook-answers.js'
import {
  acceptsForgedWebhook,
  acceptsOldSecret,
  acceptsOldTimestamp,
  failsOnBadSignature,
} from './rules/webhook-signatures.js'

/** All rules. Each rule has a file with the name of its id, or shares the file of a group of short rules. */
export const FINDING_RULES: readonly FindingRule[] = [
  paysTwice,
  orphansTask,
  unknownFields,
  pollsTooFast,
  pollsAfterEnd,
  pollsWithoutEnd,
  givesUpAfterFailedPoll,
  resultNeverLearned,
  resultNeverFetched,
  takesUnfinishedForResult,
  outputNeverDownloaded,
  fetchedAfterExpiry,
  urlAltered,
  hotLinked,
  keepsOutputUrl,
  keySentToFileHost,
  keyMissing,
  ignoresRetryAfter,
  retriesRejected,
  listNotFollowed,
  mixedPathForms,
  acceptsForgedWebhook,
  acceptsOldSecret,
  acceptsOldTimestamp,
  failsOnBadSignature,
  slowWebhook,
  redirectsWebhook,
  reliesOnWebhookAlone,
  processesWebhookTwice,
]
