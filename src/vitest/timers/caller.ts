import { fileURLToPath } from 'node:url'

/** The code of this package, in `src` or in `dist`: not what is installed, linked or built elsewhere below its folder. */
const OWN_CODE = /^(.*\/)(?:src|dist)\//.exec(plainPath(import.meta.url))?.[1] ?? ''

/** Node itself, and the packages that intercept requests and run tests. */
const INTERNAL = /^node:|\/node_modules\/(?:msw|@mswjs\/[\w-]+|vitest|@vitest\/[\w-]+|tinypool)\//

/** A spy, such as one of `vi.spyOn(globalThis, 'setTimeout')`, calls on behalf of its caller. */
const SPY = /\/node_modules\/(?:@vitest\/spy|tinyspy)\//

/** So many calls are between a function and the caller of a spy on it. */
const DEPTH = 10

/**
 * Whether a file has code under test: the test, the application or one of its packages, but not Node, MSW, Vitest or
 * this package.
 * @param file a path or a file URL
 */
export function isUnderTest(file: string): boolean {
  const path = plainPath(file)
  if (INTERNAL.test(path)) return false
  return !(path.startsWith(`${OWN_CODE}src/`) || path.startsWith(`${OWN_CODE}dist/`))
}

/** Whether code under test has called a function, which must be running. */
export function isCalledByCodeUnderTest(callee: (...values: never[]) => unknown): boolean {
  const caller = filesAbove(callee).find((file) => !SPY.test(plainPath(file)))
  // Code without a file was made by the test.
  return caller === undefined || isUnderTest(caller)
}

/** The files of the calls that led to a function, the latest first. */
function filesAbove(callee: (...values: never[]) => unknown): readonly string[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const trace: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = DEPTH
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '')
    Error.captureStackTrace(trace, callee)
    return trace.stack as string[]
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    // biome-ignore lint/style/noNonNullAssertion: undefined is the value that Node starts with
    Error.prepareStackTrace = prepareStackTrace!
  }
}

/** The path of a file with slashes, also of a file URL. */
function plainPath(file: string): string {
  return (file.startsWith('file:') ? fileURLToPath(file) : file).replaceAll('\\', '/')
}
