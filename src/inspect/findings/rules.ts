import type { FindingRule } from './finding.js'
import { FINDING_IDS, type FindingId } from './ids.js'
import { givesUpAfterFailedPoll, stopsAtUnknownStatus } from './rules/gives-up-after-failed-poll.js'
import { ignoresRetryAfter } from './rules/ignores-retry-after.js'
import { keyMissing } from './rules/key-missing.js'
import { listNotFollowed } from './rules/list-not-followed.js'
import { orphansTask } from './rules/orphans-task.js'
import { downloadsSomeOutputs, outputNeverDownloaded } from './rules/output-files.js'
import {
  fetchedAfterExpiry,
  hotLinked,
  keepsOutputUrl,
  keySentToFileHost,
  urlAltered,
} from './rules/output-urls.js'
import { paysTwice } from './rules/pays-twice.js'
import { pollsAfterEnd } from './rules/polls-after-end.js'
import { pollsTooFast } from './rules/polls-too-fast.js'
import { pollsWithoutEnd } from './rules/polls-without-end.js'
import { resultNeverFetched } from './rules/result-never-fetched.js'
import { reliesOnWebhookAlone, resultNeverLearned } from './rules/result-never-learned.js'
import { retriesRejected } from './rules/retries-rejected.js'
import { takesUnfinishedForResult } from './rules/takes-unfinished-for-result.js'
import { mixedPathForms, unknownFields, usesEndedApi } from './rules/unsupported-requests.js'
import { processesWebhookTwice, redirectsWebhook, slowWebhook } from './rules/webhook-handling.js'
import {
  acceptsForgedWebhook,
  acceptsOldSecret,
  acceptsOldTimestamp,
  failsOnBadSignature,
  rejectsReformattedWebhook,
} from './rules/webhook-signatures.js'

/** Each rule has a file with the name of its id, or shares the file of a group of short rules. */
const RULES: Readonly<Record<FindingId, FindingRule>> = {
  'pays-twice': paysTwice,
  'orphans-task': orphansTask,
  'unknown-fields': unknownFields,
  'polls-too-fast': pollsTooFast,
  'polls-after-end': pollsAfterEnd,
  'polls-without-end': pollsWithoutEnd,
  'gives-up-after-failed-poll': givesUpAfterFailedPoll,
  'stops-at-unknown-status': stopsAtUnknownStatus,
  'result-never-learned': resultNeverLearned,
  'result-never-fetched': resultNeverFetched,
  'takes-unfinished-for-result': takesUnfinishedForResult,
  'output-never-downloaded': outputNeverDownloaded,
  'downloads-some-outputs': downloadsSomeOutputs,
  'fetched-after-expiry': fetchedAfterExpiry,
  'url-altered': urlAltered,
  'hot-linked': hotLinked,
  'keeps-output-url': keepsOutputUrl,
  'key-sent-to-file-host': keySentToFileHost,
  'key-missing': keyMissing,
  'ignores-retry-after': ignoresRetryAfter,
  'retries-rejected': retriesRejected,
  'list-not-followed': listNotFollowed,
  'mixed-path-forms': mixedPathForms,
  'uses-ended-api': usesEndedApi,
  'accepts-forged-webhook': acceptsForgedWebhook,
  'accepts-old-secret': acceptsOldSecret,
  'accepts-old-timestamp': acceptsOldTimestamp,
  'fails-on-bad-signature': failsOnBadSignature,
  'rejects-reformatted-webhook': rejectsReformattedWebhook,
  'slow-webhook': slowWebhook,
  'redirects-webhook': redirectsWebhook,
  'relies-on-webhook-alone': reliesOnWebhookAlone,
  'processes-webhook-twice': processesWebhookTwice,
}

/** All rules, in the order of {@link FINDING_IDS}. */
export const FINDING_RULES: readonly FindingRule[] = FINDING_IDS.map((id) => RULES[id])
