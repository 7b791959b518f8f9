import type { RunnerTestCase } from 'vitest'
import type { Simulator } from '../library/build-simulator.js'

/** The codes of errors of a request that was sent to the network. */
const NETWORK_CODE =
  /^(?:E(?:AI_AGAIN|CONNREFUSED|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT)|UND_ERR_CONNECT_TIMEOUT)$/

/** The statuses with which a real service rejects the key of a test. */
const REJECTED: readonly unknown[] = [401, 403]

/**
 * Explains the error of a test whose client has sent its requests to the network, because it was built before
 * `tasksim/vitest` was loaded.
 * @throws an error with the explanation
 */
export function explainEscape({ result }: RunnerTestCase, sim: Simulator): void {
  if (result?.state !== 'fail' || sim.counters.requests.size > 0) return
  const sign = result.errors?.map(signOf).find((found) => found !== undefined)
  if (sign === undefined) return
  throw new Error(
    `The simulator got no request in this test, but the client got ${sign} from the network. A client that was built ` +
      "before 'tasksim/vitest' was loaded keeps the `fetch` of Node: list 'tasksim/vitest' in `setupFiles`, or import it " +
      'before the module that builds the client. Otherwise, check `baseUrl` or `dialect`.',
  )
}

/** What in an error, or in its cause, comes from the network. */
function signOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown }
  if (typeof code === 'string' && NETWORK_CODE.test(code)) return code
  return REJECTED.includes(status) ? `the status ${status}` : signOf(cause)
}
