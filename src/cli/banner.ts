import { mask } from '../engine/mask.js'
import { LOCAL_KEY } from '../http/api-key.js'
import { LOCAL_SIGNING_SECRET } from '../scenario/language/layers/complete.js'
import type { Simulator } from '../simulator.js'
import { colors } from './output.js'

/**
 * What a person needs to begin; the first line says where the API is.
 * @param controlToken what the control API wants to be shown, where nobody knows it yet
 */
export function banner(sim: Simulator, baseUrl: string, controlToken?: string): string {
  const { name, description, auth, webhooks } = sim.scenario
  const keys = auth.keys?.map(({ key }) => mask(key))
  const { bold, dim, cyan } = colors
  const authorization = `Authorization: Bearer ${keys === undefined ? LOCAL_KEY : '$API_KEY'}`
  const secret = webhooks.secret === LOCAL_SIGNING_SECRET ? webhooks.secret : mask(webhooks.secret)
  return [
    `${bold('tasksim')} is ready at ${cyan(baseUrl)}`,
    '',
    `  API key         ${keys === undefined ? `${LOCAL_KEY} ${dim('(any other will do)')}` : keys.join(', ')}`,
    `  webhook secret  ${secret}`,
    `  scenario        ${name}${description === '' ? '' : dim(` (${description})`)}`,
    `  seed            ${sim.seed}`,
    `  clock           ${sim.clock.mode === 'manual' ? 'manual: stands still until it is advanced' : `real${sim.clock.speed === 1 ? '' : `, ${sim.clock.speed} times as fast`}`}`,
    `  dashboard       ${dashboardUrl(baseUrl, controlToken)}`,
    ...(controlToken === undefined ? [] : [`  control token   ${controlToken}`]),
    ...(sim.clock.mode === 'manual' ? turnHint(baseUrl) : []),
    '',
    dim(keys === undefined ? 'Create a task:' : "Create a task, with one of the scenario's keys in API_KEY:"),
    '',
    `  curl -s ${baseUrl}/tasks \\`,
    `    -H "${authorization}" \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '{"model": "acme/image-1", "input": {"prompt": "a lighthouse at dawn"}}'`,
    '',
    dim('Poll it, with its id in ID, and download its output, with the URL in URL:'),
    '',
    `  curl -s ${baseUrl}/tasks/$ID -H "${authorization}"`,
    '  curl -s -O "$URL"',
    '',
  ].join('\n')
}

/** The address of the dashboard, with the control token where there is one: the page keeps it. */
export function dashboardUrl(baseUrl: string, token: string | undefined): string {
  return new URL(token === undefined ? '/_sim/' : `/_sim/?token=${encodeURIComponent(token)}`, baseUrl).href
}

/** How to turn a clock that stands still. */
function turnHint(baseUrl: string): string[] {
  const url = new URL('/_sim/clock', baseUrl)
  return ['', `  curl -s ${url} -H 'Content-Type: application/json' -d '{"advance": "1m"}'`]
}

/** The same for a machine, as one line of JSON. */
export function readyRecord(sim: Simulator, baseUrl: string, controlToken?: string): string {
  const { name } = sim.scenario
  return JSON.stringify({
    time: new Date(sim.clock.now()).toISOString(),
    type: 'ready',
    base_url: baseUrl,
    scenario: name,
    seed: sim.seed,
    clock: sim.clock.mode,
    speed: sim.clock.speed,
    control_token: controlToken,
  })
}
