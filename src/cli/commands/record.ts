import { UsageError } from '../../engine/errors.js'
import { counted } from '../../record/numbers.js'
import { defineCommand } from '../command.js'
import { clientAddress, loadGivenDialect } from '../dialects/given-dialects.js'
import { ServerLog } from '../log.js'
import { openDashboard } from '../open-browser.js'
import { checkUrl, readDurationOption, repeatable } from '../options/options.js'
import { addressOptions, checkPort } from '../options/server-options.js'
import { colors, flush } from '../output.js'
import { Upstream } from '../record/proxy/upstream.js'
import { Recorder } from '../record/recorder.js'
import { dashboardUrl } from '../serve/banner.js'
import { exitSoon, stopSignal } from '../signals.js'
import { compareFile } from './compare.js'

/** Passes requests to a real service, and records what passes. */
export const command = defineCommand({
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
        readPoll(poll)
        if (publicUrl !== undefined) checkUrl('public-url', publicUrl)
        return true
      }),
  async handler(args) {
    const { dialects, dialect, table } = await loadGivenDialect(args.dialect)
    const upstream = new Upstream(dialect, dialects, args.upstream)
    const publicUrl = args['public-url']
    const recorder = await Recorder.start({
      ...args,
      dialect,
      table,
      upstream,
      keepsBodies: args.bodies,
      keepsFiles: args.files,
      publicUrl,
      poll: readPoll(args.poll),
    })
    const { file, origin, controlToken } = recorder
    const baseUrl = origin + clientAddress(dialects, dialect.name).path
    const log = new ServerLog(recorder.sim, args.json ? 'json' : 'text')
    const stopped = stopSignal()
    log.event(
      'ready',
      () => ({
        ...{ base_url: baseUrl, upstream: upstream.origins, recording: file.path },
        ...{ continued: file.isContinued, control_token: controlToken },
      }),
      () => banner(recorder, upstream, baseUrl, args),
    )
    // Scripts wait for this line, and may stop the recorder at once.
    flush()
    if (args.open) openDashboard(dashboardUrl(origin, controlToken))
    log.follow()
    await stopped
    const findings = await recorder.close()
    const { exchanges, ownRequests, webhooks, tasks, models } = recorder.tally
    const differences = await differencesIn(file.path)
    log.event(
      'recorded',
      () => ({
        ...{ recording: file.path, exchanges, own_requests: ownRequests, webhooks, tasks, models },
        ...{ findings, differences },
      }),
      () => summary(recorder, findings, differences),
    )
    flush()
    exitSoon()
  },
})

/** Milliseconds. @throws UsageError if the string is not a duration */
function readPoll(text: string): number {
  return text === '0' ? 0 : readDurationOption('poll', text)
}

/** The text that `tasksim record` prints when it is ready. The first line has the base URL of the client. */
function banner(
  { file: { path, isContinued, isCut }, origin, controlToken }: Recorder,
  { hosts }: Upstream,
  baseUrl: string,
  { 'public-url': publicUrl, poll }: { readonly 'public-url': string | undefined; readonly poll: string },
): string {
  const { bold, cyan, dim } = colors
  const state = isContinued
    ? dim(` (continued${isCut ? '; removed its last line, which was incomplete' : ''})`)
    : ''
  return [
    `${bold('tasksim record')} is ready at ${cyan(baseUrl)}`,
    '',
    `  service         ${[...new Set(hosts.map(({ base }) => base))].join(', ')}`,
    `  recording       ${path}${state}`,
    `  webhooks        ${publicUrl === undefined ? 'not recorded; pass --public-url to forward them' : `through ${publicUrl}`}`,
    `  own polls       ${readPoll(poll) === 0 ? 'none' : `of tasks without a request for ${poll}`}`,
    `  dashboard       ${dashboardUrl(origin, controlToken)}`,
    '',
    dim('Requests are passed to the real service, with your API key, and may cost money.'),
    '',
  ].join('\n')
}

/** How many differences `tasksim compare` finds; undefined if there is nothing to compare, or no valid recording. */
async function differencesIn(path: string): Promise<number | undefined> {
  try {
    return (await compareFile(path)).differences.length
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** The text that `tasksim record` prints at the end. */
function summary(
  { tally, file: { path } }: Recorder,
  findings: number,
  differences: number | undefined,
): string {
  const { exchanges, ownRequests, webhooks, tasks, models } = tally
  const compared =
    differences === 0
      ? ['The dialect would have answered the same.']
      : [`The dialect would have answered otherwise: ${counted(differences ?? 0, 'difference')}.`]
  const learn = `tasksim learn ${path} --out scenario.yaml`
  return [
    '',
    `Recorded ${counted(exchanges, 'exchange')}, ${counted(ownRequests, 'own request')} and ${counted(webhooks, 'webhook')} with ${counted(tasks, 'task')} of ${counted(models, 'model')} in ${path}.`,
    ...(findings === 0 ? [] : [`The client makes ${counted(findings, 'mistake')}: see the dashboard.`]),
    ...(differences === undefined ? [] : compared),
    '',
    `  ${learn}   ${colors.dim('write a scenario that behaves like this')}`,
    `  ${`tasksim ${path}`.padEnd(learn.length)}   ${colors.dim('serve the recording')}`,
    ...(differences
      ? [`  ${`tasksim compare ${path}`.padEnd(learn.length)}   ${colors.dim('show the differences')}`]
      : []),
  ].join('\n')
}
