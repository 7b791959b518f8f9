import { curlOf } from '../../control/code/curl.js'
import type { Dialect } from '../../dialects/dialect.js'
import { isoTime } from '../../engine/clock/instants.js'
import { counted } from '../../engine/counted.js'
import { mask } from '../../engine/mask.js'
import { DIALECT_SECRETS } from '../../engine/webhooks/signing/signature.js'
import { isSigned, sentEvents } from '../../engine/webhooks/webhook-format.js'
import { LOCAL_KEY, shownKey } from '../../http/api-key.js'
import type { Attached } from '../../ledger/attach.js'
import { DEFAULTS } from '../../scenario/defaults.generated.js'
import type { Simulator } from '../../simulator/simulator.js'
import { clientAddress } from '../dialects/given-dialects.js'
import type { ServerInterceptor } from '../intercept/intercept-for-server.js'
import { colors } from '../output.js'

/** What a server also prints when it is ready. */
interface Announced {
  /** The token of the control API, if it was generated. */
  readonly controlToken: string | undefined
  /** The names of the dialects that the command line gives. */
  readonly dialects: readonly string[]
  /** The name of the dialect at the root, if the command line gives one. */
  readonly root: string | undefined
  /** The ledger that stores the state, if there is one. */
  readonly ledger?: Attached | undefined
  /** What answers requests for the hosts of services, if the command line asks for it. */
  readonly interceptor?: Pick<ServerInterceptor, 'dialects' | 'files'> | undefined
}

/**
 * The text that the server prints when it is ready. The first line has the base URL of the client: that of the dialect at
 * the root, else of the first dialect that the command line gives, else of `/api/v1`.
 */
export async function banner(sim: Simulator, baseUrl: string, announced: Announced): Promise<string> {
  const { controlToken, dialects, root, ledger, interceptor } = announced
  const { name, description, auth } = sim.scenario
  const { bold, dim, cyan } = colors
  const dialect = await sim.dialects.load(root ?? dialects[0] ?? sim.dialects.main)
  const keys = auth.keys?.map(({ key }) => mask(key))
  const { create, poll } = await exampleCommands(sim, baseUrl, dialect, root)
  return [
    `${bold('tasksim')} is ready at ${cyan(clientUrl(sim, baseUrl, dialect.name, root))}`,
    '',
    `  API key         ${keys === undefined ? `${LOCAL_KEY} ${dim('(any other key works too)')}` : keys.join(', ')}`,
    ...(dialect.name === sim.dialects.main ? [] : [`  key header      ${keyHeader(dialect)}`]),
    `  webhook secret  ${secretOf(sim, dialect)}`,
    `  scenario        ${name}${description === '' ? '' : dim(` (${description})`)}`,
    `  seed            ${sim.seed}`,
    ...(sim.partition === undefined ? [] : [`  partition       ${sim.partition}`]),
    `  clock           ${sim.clock.mode === 'manual' ? 'manual (moves only when you advance it)' : `real${sim.clock.speed === 1 ? '' : `, speed ${sim.clock.speed}`}`}`,
    ...(ledger === undefined
      ? []
      : [`  ledger          ${ledger.shown} ${dim(`(${restoredTasks(ledger)})`)}`]),
    ...dialectUrls(sim, baseUrl, dialects).map(([dialect, url]) => `  ${dialect.padEnd(14)}  ${url}`),
    ...(interceptor === undefined ? [] : interceptorLines(interceptor)),
    `  dashboard       ${dashboardUrl(baseUrl, controlToken)}`,
    ...(controlToken === undefined ? [] : [`  control token   ${controlToken}`]),
    ...(sim.clock.mode === 'manual' ? advanceHint(baseUrl) : []),
    '',
    dim(keys === undefined ? 'Create a task:' : 'Create a task. Set API_KEY to one of the API keys:'),
    '',
    indented(create),
    '',
    dim('Poll it and download its output. Set ID to the id of the task, and URL to the output URL:'),
    '',
    ...(poll === undefined ? [] : [indented(poll)]),
    '  curl -s -O "$URL"',
    '',
  ].join('\n')
}

/** Where the variables are that lead an app to the server. */
function interceptorLines({ dialects, files }: NonNullable<Announced['interceptor']>): string[] {
  return [
    `  intercepts      ${dialects.join(', ')} ${colors.dim('for programs with these variables')}`,
    `  in a shell      . ${files.shell}`,
    `  as a .env file  ${files.env}`,
    `  in Compose      ${files.compose}`,
  ]
}

/** What was restored from a ledger. */
function restoredTasks({ restored, took }: Attached): string {
  if (restored === undefined) return 'new'
  return `restored ${counted(restored, 'task')} in ${Math.round(took)} ms`
}

/** The commands that create and poll a task. */
async function exampleCommands(
  sim: Simulator,
  baseUrl: string,
  dialect: Dialect,
  root: string | undefined,
): Promise<{ readonly create: string; readonly poll: string | undefined }> {
  const [{ exampleOrder }, { createRequest }, { pollRequest }] = await Promise.all([
    import('../../dialects/requests/example-order.js'),
    import('../../dialects/requests/create-request.js'),
    import('../../dialects/requests/poll-request.js'),
  ])
  const destination = { origin: new URL(baseUrl).origin, key: shownKey(sim), root }
  const order = exampleOrder(dialect)
  const poll = pollRequest(dialect, { ...order, id: '$ID' }, destination)
  return { create: curlOf(createRequest(dialect, order, destination)), poll: poll && curlOf(poll) }
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

function keyHeader({ key: { header, scheme } }: Dialect): string {
  return `${header}: ${scheme === undefined ? '' : `${scheme} `}<API key>`
}

/** The signing secret of a dialect, masked unless it is public; or why there is none. */
function secretOf({ scenario }: Simulator, { name, webhooks }: Dialect): string {
  const format = webhooks(scenario)
  if (sentEvents(format).length === 0) return `none (${name} sends no webhooks)`
  if (!isSigned(format)) return `none (${name} signs no webhooks)`
  return PUBLIC_SECRETS.includes(format.secret) ? format.secret : mask(format.secret)
}

const PUBLIC_SECRETS: readonly string[] = [DEFAULTS.webhooks.secret, DIALECT_SECRETS.secret]

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
function dialectUrls(sim: Simulator, baseUrl: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, clientUrl(sim, baseUrl, name)])
}

/** @param root the name of the dialect whose client calls the root */
function clientUrl({ dialects }: Simulator, baseUrl: string, name: string, root?: string): string {
  const { path } = clientAddress(dialects, name)
  return (
    new URL(baseUrl).origin + (name === root && name !== dialects.main ? path.slice(`/${name}`.length) : path)
  )
}

/** The JSON line that the server prints when it is ready. */
export function readyRecord(
  sim: Simulator,
  baseUrl: string,
  { controlToken, dialects, ledger, interceptor }: Omit<Announced, 'root'>,
): string {
  const { name } = sim.scenario
  return JSON.stringify({
    time: isoTime(sim.clock.now()),
    type: 'ready',
    base_url: baseUrl,
    scenario: name,
    seed: sim.seed,
    ...(sim.partition !== undefined && { partition: sim.partition }),
    clock: sim.clock.mode,
    speed: sim.clock.speed,
    ...(dialects.length > 0 && { dialects: Object.fromEntries(dialectUrls(sim, baseUrl, dialects)) }),
    ...(ledger && {
      ledger: { address: ledger.shown, tasks: ledger.restored ?? 0, took_ms: Math.round(ledger.took) },
    }),
    ...(interceptor && { intercept: { dialects: interceptor.dialects, ...interceptor.files } }),
    control_token: controlToken,
  })
}
