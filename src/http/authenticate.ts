import { mask } from '../engine/mask.js'
import { Recent } from '../engine/recent.js'
import type { Standing } from '../engine/requests/accounts.js'
import type { Simulator } from '../simulator.js'
import type { ApiRequest } from './exchange.js'
import { Problem } from './problem.js'

const BEARER = /^Bearer +(\S+) *$/i
const REMEDY = 'Send the header `Authorization: Bearer <API_KEY>`.'

// A header's value is a new string with every request; tasks keep the key of the first one.
const keys = new Recent<string, string>()

/** What to say to a key that is not let in. */
const REFUSALS: Readonly<Record<Exclude<Standing, 'good'>, string>> = {
  unknown: 'is not accepted. Use one that the scenario lists under `auth.keys`.',
  expired: 'has expired. Use another one.',
  revoked: 'was revoked. Use another one.',
}

/**
 * The API key of a request.
 * @throws Problem 401 where there is none, or one that is not accepted, or not any more
 */
export function authenticate(request: ApiRequest, sim: Simulator): string {
  const header = request.header('authorization')
  if (header === undefined) throw unauthorized(`The request has no API key. ${REMEDY}`)
  const key = keyIn(header)
  if (key === undefined) throw unauthorized(`The Authorization header holds no Bearer token. ${REMEDY}`)
  const standing = standingOf(key, sim)
  if (standing !== 'good') throw unauthorized(`The API key ${mask(key)} ${REFUSALS[standing]}`)
  return key
}

/**
 * In a sandbox its own key is good whatever keys the scenario lists, or nobody could get in; whoever follows it
 * after a dot is looked up.
 */
function standingOf(key: string, { requestPolicy, clock, identity }: Simulator): Standing {
  const own = identity?.key
  if (key === own) return 'good'
  const listed = own !== undefined && key.startsWith(`${own}.`) ? key.slice(own.length + 1) : key
  return requestPolicy.accounts.standing(listed, requestPolicy.since(clock.now()))
}

function unauthorized(message: string): Problem {
  return new Problem('unauthorized', message, { headers: { 'www-authenticate': 'Bearer realm="tasksim"' } })
}

function keyIn(header: string): string | undefined {
  const known = keys.get(header)
  if (known !== undefined) return known
  const key = BEARER.exec(header)?.[1]
  if (key !== undefined) keys.set(header, key)
  return key
}
