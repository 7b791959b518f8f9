import type { Dialect } from '../../dialects/dialect.js'
import type { Dialects } from '../../dialects/dialects.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { counted } from '../../record/numbers.js'
import { clientAddress } from '../dialects/client-address.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'
import { logEvents } from '../log.js'
import { openDashboard } from '../open-browser.js'
import { addressOptions, checkPort } from '../options/address-options.js'
import { checkUrl } from '../options/check-url.js'
import { repeatable } from '../options/repeatable.js'
import { colors, flush, print } from '../output.js'
import { Upstream } from '../record/proxy/upstream.js'
import { Recorder } from '../record/recorder.js'
import { dashboardUrl } from '../serve/banner.js'
import { exitSoon, stopSignal } from '../signals.js'

interface RecordArguments {
  upstream: string | undefined
  dialect: string | undefined
  out: string
  port: number
  host: string
  redact: string[]
  bodies: boolean
  files: boolean
  'public-url': string | undefined
  poll: string
  open: boolean
  json: boolean
}

/** Passes requests to a real service, and records what passes. */
export const recordCommand: LazyCommand<RecordArguments> = {
  builder: (yargs) =>
    yargs
      .option('out', {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'Path of the recording; an existing recording of the same service is continued',
      })
      .option('upstream', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'hosts of the dialect',
        describe: 'Base URL of the real service, such as https://api.example.com/api/v1',
      })
      .option('dialect', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'tasks',
        describe: 'Service to record: the name of a dialect, or the path of a dialect file',
      })
      .options(addressOptions(4010))
      .option('redact', {
        ...repeatable,
        default: [] as string[],
        describe: 'Place whose values are replaced by hashes, such as input.prompt',
      })
      .option('bodies', {
        type: 'boolean',
        default: true,
        describe: 'Record the texts of inputs and outputs; --no-bodies replaces them by hashes',
      })
      .option('files', {
        type: 'boolean',
        default: false,
        describe: 'Download each output file once, and record it',
      })
      .option('public-url', {
        type: 'string',
        requiresArg: true,
        describe: 'URL of a tunnel to this proxy, through which the service sends webhooks',
      })
      .option('poll', {
        type: 'string',
        requiresArg: true,
        default: '5s',
        describe: 'Poll a task that the client has not asked about for this time; 0 for never',
      })
      .option('open', {
        type: 'boolean',
        default: false,
        describe: 'Open the dashboard in a browser; ignored in CI',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print log lines as JSON' })
      .example('$0 record --dialect replicate --out replicate.jsonl', 'Record a client of Replicate')
      .example(
        '$0 record --upstream https://api.example.com/api/v1 --out tasks.jsonl --redact input.prompt',
        'Record a service with the format `tasks`, without its prompts',
      )
      .check(({ port, poll, 'public-url': publicUrl }) => {
        checkPort('--port', port)
        if (readPoll(poll) === undefined)
          throw new CommandLineError(`--poll must be ${DURATION_FORM}; got ${JSON.stringify(poll)}.`)
        if (publicUrl !== undefined) checkUrl('public-url', publicUrl)
        return true
      }),
  async handler(args) {
    const { dialects, dialect, table } = await loadGivenDialect(args.dialect)
    const upstream = new Upstream(dialect, dialects, args.upstream)
    const recorder = await Recorder.start({
      ...args,
      dialect,
      table,
      upstream,
      keepsBodies: args.bodies,
      keepsFiles: args.files,
      publicUrl: args['public-url'],
      poll: readPoll(args.poll) ?? 0,
    })
    const about = {
      dialects,
      dialect,
      upstream,
      recorder,
      publicUrl: args['public-url'],
      poll: readPoll(args.poll) === 0 ? undefined : args.poll,
    }
    const stopped = stopSignal()
    print((args.json ? recordReady : recordBanner)(about))
    // Scripts wait for this line, and may stop the recorder at once.
    flush()
    if (args.open) openDashboard(dashboardUrl(recorder.origin, recorder.controlToken))
    logEvents(recorder.sim, args.json ? 'json' : 'text')
    await stopped
    const findings = await recorder.close()
    print((args.json ? summaryRecord : recordSummary)(recorder, findings))
    flush()
    exitSoon()
  },
}

/** Milliseconds; undefined if the text is no duration. */
function readPoll(text: string): number | undefined {
  return text === '0' ? 0 : readDuration(text)
}

/** A recorder, and what it was started with. */
interface Started {
  readonly dialects: Dialects
  readonly dialect: Dialect
  readonly upstream: Upstream
  readonly recorder: Recorder
  readonly publicUrl: string | undefined
  /** The interval of own polls, such as `5s`; undefined if there are none. */
  readonly poll: string | undefined
}

/** The text that `tasksim record` prints when it is ready. The first line has the base URL of the client. */
function recordBanner(started: Started): string {
  const { upstream, recorder, publicUrl, poll } = started
  const { bold, cyan, dim } = colors
  const { path, isContinued, isCut } = recorder.file
  const state = isContinued
    ? dim(` (continued${isCut ? '; removed its last line, which was incomplete' : ''})`)
    : ''
  return [
    `${bold('tasksim record')} is ready at ${cyan(clientUrl(started))}`,
    '',
    `  service         ${[...new Set(upstream.hosts.map(({ base }) => base))].join(', ')}`,
    `  recording       ${path}${state}`,
    `  webhooks        ${publicUrl === undefined ? 'not recorded; pass --public-url to forward them' : `through ${publicUrl}`}`,
    `  own polls       ${poll === undefined ? 'none' : `of tasks without a request for ${poll}`}`,
    `  dashboard       ${dashboardUrl(recorder.origin, recorder.controlToken)}`,
    '',
    dim('Requests are passed to the real service, with your API key, and may cost money.'),
    '',
  ].join('\n')
}

/** The JSON line that `tasksim record --json` prints when it is ready. */
function recordReady(started: Started): string {
  const { upstream, recorder } = started
  return JSON.stringify({
    time: new Date(recorder.sim.clock.now()).toISOString(),
    type: 'ready',
    base_url: clientUrl(started),
    upstream: upstream.origins,
    recording: recorder.file.path,
    continued: recorder.file.isContinued,
    control_token: recorder.controlToken,
  })
}

/** What `tasksim record` prints at the end. */
function recordSummary(recorder: Recorder, findings: number): string {
  const { exchanges, ownRequests, webhooks, tasks, models } = recorder.tally
  const { path } = recorder.file
  const learn = `tasksim learn ${path} --out scenario.yaml`
  return [
    '',
    `Recorded ${counted(exchanges, 'exchange')}, ${counted(ownRequests, 'own request')} and ${counted(webhooks, 'webhook')} with ${counted(tasks, 'task')} of ${counted(models, 'model')} in ${path}.`,
    ...(findings === 0 ? [] : [`The client makes ${counted(findings, 'mistake')}: see the dashboard.`]),
    '',
    `  ${learn}   ${colors.dim('write a scenario that behaves like this')}`,
    `  ${`tasksim ${path}`.padEnd(learn.length)}   ${colors.dim('serve the recording')}`,
  ].join('\n')
}

/** The JSON line that `tasksim record --json` prints at the end. */
function summaryRecord(recorder: Recorder, findings: number): string {
  const { exchanges, ownRequests, webhooks, tasks, models } = recorder.tally
  return JSON.stringify({
    time: new Date(recorder.sim.clock.now()).toISOString(),
    type: 'recorded',
    recording: recorder.file.path,
    exchanges,
    own_requests: ownRequests,
    webhooks,
    tasks,
    models,
    findings,
  })
}

function clientUrl({ dialects, dialect, recorder }: Started): string {
  return recorder.origin + clientAddress(dialects, dialect.name).path
}
