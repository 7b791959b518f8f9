import { CHECK_VALUES } from '../table/answers/check-rejected.js'
import { ERROR_VALUES } from '../table/answers/table-error.js'
import {
  CANCELED_VALUES,
  COUNT_VALUES,
  EVENT_VALUES,
  FIXED_VALUES,
  PART_VALUES,
  PARTS_VALUES,
  RECEIVER_LIST_VALUES,
  RECEIVER_VALUES,
  UPLOAD_LIST_VALUES,
  UPLOAD_VALUES,
} from '../table/operation-values.js'
import { PAGE_VALUES } from '../table/page-values.js'
import { REQUEST_VALUES } from '../table/requests/request-values.js'
import { FILE_URL_VALUES, FILE_VALUES, LOG_LINE_VALUES } from '../table/tasks/task-parts.js'
import { TASK_VALUES } from '../table/tasks/task-values.js'
import { SIGNATURE_VALUES } from '../table/webhooks/sign.js'
import { CONDITION_VALUES, WEBHOOK_VALUES } from '../table/webhooks/webhooks.js'

/** A place for templates in a dialect file. */
export interface TemplatePlace {
  /** The fields of the file, for messages. */
  readonly name: string
  /** The values that its placeholders may name. */
  readonly values: readonly string[]
}

const { task: _, ...OWN_VALUES } = TASK_VALUES

/** All places for templates. A message about an unknown value names the first ones that have it. */
export const PLACES = {
  task: place('`task` and `fields`', OWN_VALUES),
  answer: place('the `answer` about a task', TASK_VALUES),
  webhook: place('`webhook.body` and `webhook.headers`', WEBHOOK_VALUES),
  condition: place('`webhook.if`', CONDITION_VALUES),
  request: place('`input`, `model` and `webhook.url`', REQUEST_VALUES),
  check: place('`reject` of a request about a task', CHECK_VALUES),
  page: place('the `answer` of a list', PAGE_VALUES),
  event: place('the `events` of a stream', EVENT_VALUES),
  parts: place('the `answer` of `parts`', PARTS_VALUES),
  part: place('`part`', PART_VALUES),
  file: place('`file`', FILE_VALUES),
  fileUrl: place('`outputs.url`', FILE_URL_VALUES),
  logLine: place('`log_line`', LOG_LINE_VALUES),
  upload: place('`upload`', UPLOAD_VALUES),
  uploads: place('the `answer` of `list_uploads`', UPLOAD_LIST_VALUES),
  receiver: place('`receiver`', RECEIVER_VALUES),
  receivers: place('the `answer` of `list_receivers`', RECEIVER_LIST_VALUES),
  count: place('the `answer` of `count`', COUNT_VALUES),
  canceled: place('the `answer` of `cancel_queued`', CANCELED_VALUES),
  fixed: place('the `answer` of `fixed`', FIXED_VALUES),
  error: place('`error.body` and `error.headers`', ERROR_VALUES),
  signature: place('`webhook.signature`', SIGNATURE_VALUES),
} satisfies Readonly<Record<string, TemplatePlace>>

function place(name: string, values: Readonly<Record<string, unknown>>): TemplatePlace {
  return { name, values: Object.keys(values) }
}
