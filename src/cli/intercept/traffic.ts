/** What clients sent to an interceptor. */
export class Traffic {
  /** How connections to hosts of services arrived. */
  readonly connections = { proxy: 0, preload: 0 }
  /** The requests to hosts of services, by origin. */
  readonly requests = new Map<string, number>()
  /** The requests whose paths no operation of the service has, by method and URL. */
  readonly unknownPaths = new Map<string, number>()
  /** The refused connections to other hosts, by authority. */
  readonly refused = new Map<string, number>()
  /** The connections that passed to allowed hosts, by authority. */
  readonly passed = new Map<string, number>()
  /** The connections that failed in TLS, by host and reason. */
  readonly failed = new Map<string, number>()

  /** Adds one. @param given a name that clients choose */
  count(what: 'requests' | 'unknownPaths' | 'refused' | 'passed' | 'failed', given: string): void {
    const counts = this[what]
    // It is shown on a terminal.
    const name = given.slice(0, LONGEST_NAME).replace(/[^\x20-\x7e]/g, '?')
    if (counts.has(name) || counts.size < MOST_NAMES) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** The number of requests to hosts of services. */
  get total(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** A client that calls ever new paths must not fill the memory. */
const MOST_NAMES = 1_000
const LONGEST_NAME = 300
