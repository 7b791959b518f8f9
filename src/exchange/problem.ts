import type { JsonValue } from '../engine/json.js'
import { maskUrl } from '../engine/mask.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import { OverBudgetError } from '../engine/memory/budget.js'
import { retryAfter } from '../engine/requests/retry-after.js'
import type { Engine } from '../engine/tasks/engine.js'
import type { InputError } from '../engine/tasks/kinds.js'

/** The status of each code. */
const STATUSES = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_scenario: 400,
  unauthorized: 401,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  task_not_found: 404,
  model_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  output_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  over_budget: 503,
} as const

export type ProblemCode = keyof typeof STATUSES

/** The code of a rejection of which only the status is known. */
export function codeOf(status: number): string {
  return CODES[status] ?? (status < 500 ? 'rejected' : 'internal_error')
}

/** The most general code of each status; also of statuses that only faults have. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
}

/** What exactly was wrong, where services distinguish more than the code does. */
export type ProblemCause =
  | 'missing_key'
  | 'refused_key'
  | 'upload_not_found'
  | 'receiver_not_found'
  | 'missing_field'
  | 'unknown_field'

/** The reason for a rejection that tasksim knows, and that the answer does not tell the client. */
export interface KnownReason {
  /** The reason in one word, such as `other_key`. */
  readonly name: string
  /** The reason as a sentence. */
  readonly reason: string
}

/** What a wire format decides about a rejection. */
interface OwnForm {
  /** The status; that of the code by default. */
  readonly status?: number | undefined
  /** The code in the words of the service. */
  readonly code?: string | undefined
}

/** Rejects a request; the pipeline writes it in the style of the scenario. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  /** The invalid field or parameter. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Further fields, next to the message. */
  readonly details: object
  override readonly cause: ProblemCause | undefined
  /** The code in the words of the service, if its wire format decides that. */
  readonly ownCode: string | undefined
  /** The invalid value. */
  readonly given: JsonValue | undefined
  /** The name of the rate limit that is used up. */
  readonly limit: string | undefined
  /** What the journal says in place of the message, which the client sees. */
  readonly known: KnownReason | undefined
  readonly ownStatus: number | undefined

  constructor(
    code: ProblemCode,
    message: string,
    more: {
      param?: string
      headers?: Readonly<Record<string, string>>
      /** The milliseconds after which the client may try again. */
      retryAfter?: number
      details?: object
      cause?: ProblemCause
      given?: JsonValue | undefined
      limit?: string
      known?: KnownReason
      own?: OwnForm
    } = {},
  ) {
    super(message)
    this.code = code
    this.param = more.param
    const wait = more.retryAfter === undefined ? undefined : retryAfter(more.retryAfter)
    this.headers = { ...wait, ...more.headers }
    this.details = more.details ?? {}
    this.cause = more.cause
    this.given = more.given
    this.limit = more.limit
    this.known = more.known
    this.ownCode = more.own?.code
    this.ownStatus = more.own?.status
  }

  get status(): number {
    return this.ownStatus ?? STATUSES[this.code]
  }
}

/**
 * Rejects a request without an accepted API key.
 * @param scheme the word before the key in its header; without one, no standard scheme describes the header
 */
export function unauthorized(
  message: string,
  scheme: string | undefined,
  cause: 'missing_key' | 'refused_key',
): Problem {
  if (scheme === undefined) return new Problem('unauthorized', message, { cause })
  return new Problem('unauthorized', message, {
    headers: { 'www-authenticate': `${scheme} realm="tasksim"` },
    cause,
  })
}

/** Rejects a request whose body ends early. */
export function incompleteBody(): Problem {
  return new Problem('invalid_request', 'The connection was closed before the body had ended.')
}

/** Rejects the cursor of a list that is not that of an earlier page. */
export function unknownCursor(cursor: string | undefined): Problem {
  const shown = JSON.stringify(cursor?.slice(0, LONGEST_SHOWN))
  return new Problem(
    'invalid_request',
    `The page token ${shown} is not that of an earlier page of this list.`,
  )
}

/** Rejects a request that exceeds the memory budget. */
export function overBudget({ limit }: MemoryBudget): Problem {
  return new Problem('over_budget', new OverBudgetError(limit).message)
}

/** A hint for a task that is not found because it may have been evicted; empty if no task was evicted. */
export function evictionHint({ hasForgotten, retention }: Engine): string {
  if (!hasForgotten) return ''
  return ` The last ${retention.keep} tasks that have ended are kept, or fewer if memory is short, and older ones are forgotten: raise \`keepTasks\` and \`keepBytes\`, or --keep-tasks and --keep-bytes, to keep more.`
}

const LONGEST_SHOWN = 100

/** Masking a longer text would take too long. */
const LONGEST_READ = 2_000

/** The problem if tasksim itself fails on a request. The error is reported separately. */
export function internalError(): Problem {
  return new Problem('internal_error', 'tasksim itself failed on this request; its log says more.')
}

/** Rejects a field or parameter: the message contains the expected form and the given value. */
export function invalid(
  kind: 'field' | 'query parameter',
  param: string,
  given: unknown,
  expected: string,
  hint = '',
): Problem {
  const part =
    typeof given === 'string' ? maskUrl(given.slice(0, LONGEST_READ)).slice(0, LONGEST_SHOWN) : given
  const shown = (JSON.stringify(part) ?? 'nothing').slice(0, LONGEST_SHOWN)
  return new Problem(
    'invalid_request',
    `The ${kind} \`${param}\` must be ${expected}; got ${shown}.${hint}`,
    {
      param,
    },
  )
}

/** Rejects the input of a task: the message contains the whole path, and `param` the field. */
export function inputProblem({ param, path, given, expected, hint, isMissing }: InputError): Problem {
  if (isMissing) {
    const message = `The field \`${path}\` is missing: give ${expected}.${hint}`
    return new Problem('invalid_request', message, { param })
  }
  const { code, message } = invalid('field', path, given, expected, hint)
  return new Problem(code, message, { param })
}
