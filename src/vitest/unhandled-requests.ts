import type { Simulator } from '../library/build-simulator.js'

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
  const message = describe(method, new URL(url))
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, message)
  error.message = message
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
