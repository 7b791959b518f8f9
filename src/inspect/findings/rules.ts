import { paysTwice } from './creating/pays-twice.js'
import { unknownFields } from './creating/unknown-fields.js'
import { fetchedAfterExpiry } from './files/fetched-after-expiry.js'
import { hotLinked } from './files/hot-linked.js'
import { keepsOutputUrl } from './files/keeps-output-url.js'
import { keySentToFileHost } from './files/key-sent-to-file-host.js'
import { outputNeverDownloaded } from './files/output-never-downloaded.js'
import { urlAltered } from './files/url-altered.js'
import type { FindingRule } from './finding.js'
import { givesUpAfterFailedPoll } from './polling/gives-up-after-failed-poll.js'
import { pollsAfterEnd } from './polling/polls-after-end.js'
import { pollsTooFast } from './polling/polls-too-fast.js'
import { pollsWithoutEnd } from './polling/polls-without-end.js'
import { resultNeverLearned } from './polling/result-never-learned.js'

import { ignoresRetryAfter } from './requests/ignores-retry-after.js'
import { keyMissing } from './requests/key-missing.js'
import { listNotFollowed } from './requests/list-not-followed.js'
import { mixedPathForms } from './requests/mixed-path-forms.js'
import { retriesRejected } from './requests/retries-rejected.js'
import { acceptsForgedWebhook } from './webhooks/accepts-forged-webhook.js'
import { acceptsOldSecret } from './webhooks/accepts-old-secret.js'
import { failsOnBadSignature } from './webhooks/fails-on-bad-signature.js'
import { processesWebhookTwice } from './webhooks/processes-webhook-twice.js'
import { redirectsWebhook } from './webhooks/redirects-webhook.js'
import { reliesOnWebhookAlone } from './webhooks/relies-on-webhook-alone.js'
import { slowWebhook } from './webhooks/slow-webhook.js'

/** Every rule; one file each. */
export const FINDING_RULES: readonly FindingRule[] = [
  paysTwice,
  unknownFields,
  pollsTooFast,
  pollsAfterEnd,
  pollsWithoutEnd,
  givesUpAfterFailedPoll,
  resultNeverLearned,
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
  failsOnBadSignature,
  slowWebhook,
  redirectsWebhook,
  reliesOnWebhookAlone,
  processesWebhookTwice,
]
