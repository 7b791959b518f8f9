/** How many tasks of a pool may run and be queued at the same time. A missing field sets no limit. */
export interface PoolLimit {
  /** The maximum number of running tasks. */
  readonly running?: number | undefined
  /** The maximum number of queued tasks. */
  readonly queued?: number | undefined
}

/** The limits of all tasks, and of each kind, model and API key. */
interface PoolLimits extends PoolLimit {
  /** The limits of each kind, for all its models together. */
  readonly kinds?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By model id or pattern. Each model that matches a pattern has its own pool. */
  readonly models?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By API key or pattern. Each key that matches a pattern has its own pool. */
  readonly keys?: Readonly<Record<string, PoolLimit | undefined>> | undefined
}

/** The response to a create request when the queue is full. */
interface Overflow {
  /** The status. */
  readonly status: 429 | 503
  /** The value of Retry-After, in milliseconds. */
  readonly retry_after: number
}

/** The limits, and the response to a request that exceeds them. */
export interface CapacitySettings extends PoolLimits {
  /** The response to a request that exceeds a limit. */
  readonly overflow: Overflow
}
