import { CLIENTS, type ClientAddress, OTHER_CLIENTS } from '../../control/code/clients.js'

/** What a command was told about the simulator. */
export interface GivenAddress {
  /** The names of the services whose clients the command uses. */
  readonly dialects: readonly string[]
  readonly isIntercepted: boolean
}

const SERVICES: readonly (readonly [string, ClientAddress])[] = Object.entries({
  ...CLIENTS,
  ...OTHER_CLIENTS,
})

/** Says how the client of a command can reach the simulator if it sends no request to it. */
export function reachRemedy({ dialects, isIntercepted }: GivenAddress, env: NodeJS.ProcessEnv): string {
  if (isIntercepted) return INTERCEPTED
  const called = SERVICES.filter(([name]) => dialects.includes(name)).map(([, client]) => client)
  const given = ['TASKSIM_URL', ...called.flatMap(addressVariables)]
  const own = `Make the client read ${listed(given)}, or set the variable that it reads: --env API_BASE_URL=base_url.`
  return [own, dialects.length === 0 ? dialectIn(env) : '', INTERCEPT].filter((part) => part !== '').join(' ')
}

const INTERCEPTED =
  'The client must read the variables in the line `intercepted`, or be in Node or Python. Otherwise, give it the base URL in TASKSIM_URL.'
const INTERCEPT = 'If the client calls the host of a service, pass --intercept.'

/** Names the service of the client, if a variable of the user is one that its clients read. */
function dialectIn(env: NodeJS.ProcessEnv): string {
  for (const [name, client] of SERVICES) {
    const variable = [...addressVariables(client), ...keyVariables(client)].find(
      (each) => env[each] !== undefined,
    )
    if (variable === undefined) continue
    const [address] = addressVariables(client)
    const effect = address === undefined ? '' : `, which sets ${address}`
    return `${variable} is set, so it may be a client of ${name}: pass --dialect ${name}${effect}.`
  }
  return 'For the client of a service, pass --dialect, such as --dialect openai, which sets OPENAI_BASE_URL.'
}

function addressVariables({ urlVariable, furtherUrls = {} }: ClientAddress): string[] {
  return [...(urlVariable === undefined ? [] : [urlVariable]), ...Object.keys(furtherUrls)]
}

function keyVariables({ keyVariable, furtherKeys = [] }: ClientAddress): string[] {
  return [...(keyVariable === undefined ? [] : [keyVariable]), ...furtherKeys]
}

/** Such as `A`, `A or B`, or `A, B or C`. */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
}
