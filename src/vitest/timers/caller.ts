/** The folder of this package: `src` or `dist`. */
const OWN_FOLDER = decodeURIComponent(new URL('../../', import.meta.url).pathname).replace(/^\/(?=\w:)/, '')

/** Node itself, and the packages that intercept requests and run tests. */
const INTERNAL = /(?:^|[\s(])node:|\/node_modules\/(?:msw|@mswjs\/[\w-]+|vitest|@vitest\/[\w-]+|tinypool)\//

/**
 * Whether a line of a stack trace is in the code under test: in the test, the application or its packages, but not in
 * Node, MSW, Vitest or this package.
 */
export function isUnderTest(line: string): boolean {
  const place = line.replaceAll('\\', '/')
  return !INTERNAL.test(place) && !place.includes(OWN_FOLDER)
}
