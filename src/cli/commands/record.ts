import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'
import { logEvents } from '../log.js'
import { openDashboard } from '../open-browser.js'
import { addressOptions, checkPort } from '../options/address-options.js'
import { checkUrl } from '../options/check-url.js'
import { repeatable } from '../options/repeatable.js'
import { flush, print } from '../output.js'
import { recordBanner, recordReady, recordSummary, summaryRecord } from '../record/banner.js'
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
