import { mask } from '../engine/mask.js'
import { LOCAL_KEY } from '../http/api-key.js'
import { DEFAULTS } from '../scenario/model/defaults.js'
import type { Simulator } from '../simulator.js'
import { clientAddress } from './dialects/clients.js'
import { colors } from './output.js'

/** What a server also prints when it is ready. */
interface Announced {
  /** The token of the control API, if it was generated. */
  readonly controlToken: string | undefined
  /** The names of the dialects that the command line gives. */
  readonly dialects: readonly string[]
}

/** The text that the server prints when it is ready. The first line has the URL of the API. */
export function banner(sim: Simulator, baseUrl: string, { controlToken, dialects }: Announced): string {
  const { name, description, auth, webhooks } = sim.scenario
  const keys = auth.keys?.map(({ key }) => mask(key))
  const { bold, dim, cyan } = colors
  const authorization = `Authorization: Bearer ${keys === undefined ? LOCAL_KEY : '$API_KEY'}`
  const secret = webhooks.secret === DEFAULTS.webhooks.secret ? webhooks.secret : mask(webhooks.secret)
  return [
    `${bold('tasksim')} is ready at ${cyan(baseUrl)}`,
    '',
    `  API key         ${keys === undefined ? `${LOCAL_KEY} ${dim('(any other key works too)')}` : keys.join(', ')}`,
    `  webhook secret  ${secret}`,
    `  scenario        ${name}${description === '' ? '' : dim(` (${description})`)}`,
    `  seed            ${sim.seed}`,
    `  clock           ${sim.clock.mode === 'manual' ? 'manual (moves only when you advance it)' : `real${sim.clock.speed === 1 ? '' : `, speed ${sim.clock.speed}`}`}`,
    ...dialectUrls(sim, baseUrl, dialects).map(([dialect, url]) => `  ${dialect.padEnd(14)}  ${url}`),
    `  dashboard       ${dashboardUrl(baseUrl, controlToken)}`,
    ...(controlToken === undefined ? [] : [`  control token   ${controlToken}`]),
    ...(sim.clock.mode === 'manual' ? advanceHint(baseUrl) : []),
    '',
    dim(keys === undefined ? 'Create a task:' : 'Create a task. Set API_KEY to one of the API keys:'),
    '',
    `  curl -s ${baseUrl}/tasks \\`,
    `    -H "${authorization}" \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '{"model": "acme/image-1", "input": {"prompt": "a lighthouse at dawn"}}'`,
    '',
    dim('Poll it and download its output. Set ID to the id of the task, and URL to the output URL:'),
    '',
    `  curl -s ${baseUrl}/tasks/$ID -H "${authorization}"`,
    '  curl -s -O "$URL"',
    '',
  ].join('\n')
}

/** The URL of the dashboard, with the control token if there is one. The page stores the token. */
export function dashboardUrl(baseUrl: string, token: string | undefined): string {
  return new URL(token === undefined ? '/_sim/' : `/_sim/?token=${encodeURIComponent(token)}`, baseUrl).href
}

/** A command that advances a manual clock. */
function advanceHint(baseUrl: string): string[] {
  const url = new URL('/_sim/clock', baseUrl)
  return [
    '',
    colors.dim('Advance the clock:'),
    '',
    `  curl -s ${url} -H 'Content-Type: application/json' -d '{"advance": "1m"}'`,
  ]
}

/** The base URL of the client of each dialect. */
function dialectUrls({ dialects }: Simulator, baseUrl: string, names: readonly string[]): [string, string][] {
  const { origin } = new URL(baseUrl)
  return names.map((name) => [name, origin + clientAddress(dialects, name).path])
}

/** The JSON line that the server prints when it is ready. */
export function readyRecord(sim: Simulator, baseUrl: string, { controlToken, dialects }: Announced): string {
  const { name } = sim.scenario
  return JSON.stringify({
    time: new Date(sim.clock.now()).toISOString(),
    type: 'ready',
    base_url: baseUrl,
    scenario: name,
    seed: sim.seed,
    clock: sim.clock.mode,
    speed: sim.clock.speed,
    ...(dialects.length > 0 && { dialects: Object.fromEntries(dialectUrls(sim, baseUrl, dialects)) }),
    control_token: controlToken,
  })
}
