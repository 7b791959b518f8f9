import type { RunnerTestCase } from 'vitest'
import { announcesEnds } from '../engine/webhooks/webhook-format.js'
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

/**
 * Explains the error of a test whose receiver got no webhook, because no create request has named it.
 * @throws an error with the explanation
 */
export function explainUnnamed({ result }: RunnerTestCase, { counters, webhooks, tasks }: Simulator): void {
  if (result?.state !== 'fail' || counters.attempts > 0) return
  const receiver = webhooks.receivers.list().find(({ isOnlyNamed }) => isOnlyNamed === true)
  const unnamed = [...tasks.all()].find(
    (task) => announcesEnds(webhooks.formatOf(task.dialect)) && !webhooks.announcesEnd(task),
  )
  if (receiver === undefined || unnamed === undefined) return
  throw new Error(
    `No webhook was sent to ${receiver.url} in this test, because the create request of ${unnamed.id} named no webhook. ` +
      'Let the client name the URL of the receiver in its create request. If webhooks are a setting of the account at ' +
      'the service, register the receiver for every task: `{ url, handle, everyTask: true }`.',
  )
}

/** The scope in which a simulator answers requests in this process. */
interface Scope {
  readonly baseUrl?: string
  readonly dialect?: string
}

/** The start of MSW's message about a request without a handler, which does not name the request. */
const UNHANDLED = /^\[MSW\] Cannot bypass a request/

/** Replaces the message of MSW's error about a request that nobody answers with one that names the request. */
export function explainUnhandled(
  error: unknown,
  method: string,
  url: string,
  describe: (method: string, url: URL) => string,
): void {
  if (!(error instanceof Error) || !URL.canParse(url)) return
  // With MSW 3, the error is the cause of that of fetch.
  const isUnhandled = [error, error.cause].some(
    (each) => each instanceof Error && UNHANDLED.test(each.message),
  )
  if (!isUnhandled) return
  replaceMessage(error, describe(method, new URL(url)))
}

/** Says why a simulator does not answer a request, and what it answers instead. */
export function describeUnhandled(
  { dialects }: Simulator,
  { baseUrl, dialect: name }: Scope,
  method: string,
  { origin, pathname }: URL,
): string {
  const request = `${method} ${origin}${pathname.slice(0, 200)}`
  const dialect = name === undefined ? undefined : dialects.get(name)
  const host = dialect?.hosts.find((each) => each.origin === origin)
  if (host !== undefined)
    return `There is nothing at ${request}. ${dialect?.help('', `${method} ${host.path ?? ''}${pathname}`)} ${REMEDY}`
  const scope =
    dialect !== undefined
      ? `requests to ${dialect.hosts.map((each) => each.origin).join(', ')}`
      : baseUrl !== undefined
        ? `requests below ${baseUrl}`
        : 'the paths of the API, such as /api/v1/tasks, on any origin'
  return `The simulator does not answer ${request}, but ${scope}. ${REMEDY}`
}

const REMEDY =
  'If the request is right, answer it with a handler: `server.use(...)`, or set `onUnhandledRequest`.'

const TIMED_OUT = /^Test timed out in (\d+)ms/

type TestError = NonNullable<NonNullable<RunnerTestCase['result']>['errors']>[number]

/** The error of a test that has reached Vitest's time limit, and this limit in milliseconds. */
export function timeoutOf(
  result: RunnerTestCase['result'],
): { readonly error: TestError; readonly limit: number } | undefined {
  const error = result?.errors?.find(({ message }) => TIMED_OUT.test(message))
  return error && { error, limit: Number(TIMED_OUT.exec(error.message)?.[1]) }
}

/** Replaces the message of an error, also in its stack. */
export function replaceMessage(error: Pick<Error, 'message' | 'stack'>, message: string): void {
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, message)
  error.message = message
}
