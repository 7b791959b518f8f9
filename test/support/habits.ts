/** The behavior of a client. */
export interface Habits {
  readonly key: string
  readonly path: string
  /** Milliseconds between two polls of a task. */
  readonly pollInterval: (model: string) => number
  /** The states at which polling stops. */
  readonly finalStates: readonly string[]
  /** Milliseconds after which the client cancels a task. */
  readonly deadline: number
  /** The number of consecutive polls that may fail. */
  readonly pollTries: number
  /** The maximum number of tries for a request. */
  readonly tries: number
  /** Milliseconds after which a request times out. */
  readonly timeout: number
  readonly isRetried: (status: number) => boolean
  readonly honorsRetryAfter: boolean
  readonly looksBeforeRetry: boolean
  readonly followsCursor: boolean
  readonly extraFields: object
  readonly sendsKey: (method: string, path: string) => boolean
  /** The number of downloads of each file. */
  readonly downloads: number
  readonly renewsUrls: boolean
  readonly keepsQuery: boolean
  readonly sendsKeyToFiles: boolean
}

/** The behavior of a client without mistakes. */
export const GOOD_HABITS: Habits = {
  key: 'sk_live_local',
  path: '/api/v1/tasks',
  pollInterval: (model) => (model.includes('video') ? 3_000 : 1_000),
  finalStates: ['succeeded', 'failed', 'canceled'],
  deadline: 30 * 60_000,
  pollTries: 20,
  tries: 20,
  timeout: 60_000,
  isRetried: (status) => status === 0 || status === 408 || status === 429 || status >= 500,
  honorsRetryAfter: true,
  looksBeforeRetry: true,
  followsCursor: true,
  extraFields: {},
  sendsKey: () => true,
  downloads: 1,
  renewsUrls: true,
  keepsQuery: true,
  sendsKeyToFiles: false,
}
