import type { Call } from './call.js'

/** The texts in the User-Agent of clients that get another base URL, and these URLs. */
type Bases = readonly (readonly [agent: string, base: string])[]

/** The base URL that a dialect gives to clients like that of a request; undefined if it is the one that they call. */
export function baseForClient({ request }: Call, bases: Bases): string | undefined {
  if (bases.length === 0) return undefined
  const agent = request.header('user-agent') ?? ''
  return bases.find(([text]) => agent.includes(text))?.[1]
}
