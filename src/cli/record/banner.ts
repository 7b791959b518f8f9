import type { Dialect } from '../../dialects/dialect.js'
import type { Dialects } from '../../dialects/dialects.js'
import { counted } from '../../record/counted.js'
import { clientAddress } from '../dialects/client-address.js'
import { colors } from '../output.js'
import { dashboardUrl } from '../serve/banner.js'
import type { Upstream } from './proxy/upstream.js'
import type { Recorder } from './recorder.js'

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
export function recordBanner(started: Started): string {
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
export function recordReady(started: Started): string {
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
export function recordSummary(recorder: Recorder, findings: number): string {
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
export function summaryRecord(recorder: Recorder, findings: number): string {
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
