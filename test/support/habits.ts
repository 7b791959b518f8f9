/** How a client goes about things. */
export interface Habits {
  readonly key: string
  readonly path: string
  /** Milliseconds between two polls of a task. */
  readonly pollInterval: (model: string) => number
  /** The states at which polling stops. */
  readonly finalStates: readonly string[]
  /** Milliseconds after which a task is canceled. */
  readonly deadline: number
  /** How many polls in a row may fail. */
  readonly pollTries: number
  /** How often a request is tried. */
  readonly tries: number
  /** Milliseconds after which a request has failed. */
  readonly timeout: number
  readonly isRetried: (status: number) => boolean
  readonly heedsRetryAfter: boolean
  readonly looksBeforeRetry: boolean
  readonly followsCursor: boolean
  readonly extraFields: object
  readonly sendsKey: (method: string, path: string) => boolean
  /** How often each file is downloaded. */
  readonly downloads: number
  readonly renewsUrls: boolean
  readonly keepsQuery: boolean
  readonly sendsKeyToFiles: boolean
}

/** What a client does that makes no mistake. */
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
  heedsRetryAfter: true,
  looksBeforeRetry: true,
  followsCursor: true,
  extraFields: {},
  sendsKey: () => true,
  downloads: 1,
  renewsUrls: true,
  keepsQuery: true,
  sendsKeyToFiles: false,
}
