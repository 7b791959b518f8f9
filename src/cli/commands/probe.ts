import type { ArgumentsCamelCase, Argv } from 'yargs'
import type { Dialect } from '../../dialects/dialect.js'
import type { Dialects } from '../../dialects/dialects.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { maskUrl } from '../../engine/mask.js'
import type { Scenario } from '../../engine/scenario/scenario.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import type { WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { checkUrl } from '../options/check-url.js'
import { dialectOption } from '../options/dialect-option.js'
import { scenarioPositional } from '../options/scenario-argument.js'
import { SECRET_DESCRIPTION, secretOption } from '../options/secret-option.js'
import { type AuthHeader, readAuthHeader, withAuthHeader } from '../probe/auth-header.js'
import type { ProbeContext } from '../probe/context.js'
import { eventsOf } from '../probe/events.js'
import { runProbes } from '../probe/run-probes.js'
import { signatureRuleOf } from '../probe/signature-rule.js'
import { countOf, type FailOn, failuresOf, withFailures } from '../report/report.js'
import { type ReportArguments, reportOptions, writeReport } from '../report/write-report.js'

interface ProbeArguments extends ReportArguments {
  scenario: string
  webhook: string
  dialect: string | undefined
  'webhook-secret': string | undefined
  'previous-secret': string | undefined
  'auth-header': string | undefined
  'task-id': string | undefined
  timeout: string | undefined
  'fail-on': FailOn
}

/** Tests a webhook endpoint, without a server and without a task. */
export const probeCommand: LazyCommand<ProbeArguments> = {
  builder: (yargs) => options(yargs),
  handler: probe,
}

function options(yargs: Argv): Argv<ProbeArguments> {
  return yargs
    .usage(
      '$0 probe --webhook URL\n\nSends about 40 requests to the URL: genuine events, then forged, damaged, unusual, duplicate and slow ones. The exit status is 1 if the receiver makes a mistake.',
    )
    .positional('scenario', {
      ...scenarioPositional,
      describe: 'Scenario that supplies the secret and the signature format',
    })
    .option('webhook', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'URL of the endpoint; do not use a production system',
    })
    .option('dialect', dialectOption)
    .option('webhook-secret', { ...secretOption(), describe: SECRET_DESCRIPTION })
    .option('previous-secret', {
      type: 'string',
      requiresArg: true,
      describe: 'Previous secret that the receiver must still accept, during a rotation',
    })
    .option('auth-header', {
      type: 'string',
      requiresArg: true,
      describe: 'Header with a key that the receiver checks, if the service does not sign: "NAME: VALUE"',
    })
    .option('task-id', {
      type: 'string',
      requiresArg: true,
      describe: 'Id of a task that the receiver knows (default: a new id for each probe)',
    })
    .option('timeout', {
      type: 'string',
      requiresArg: true,
      defaultDescription: 'that of the service, such as 15s',
      describe: 'Maximum time for a response',
    })
    .options(reportOptions())
    .example('$0 probe --webhook http://localhost:3000/hooks', 'Sign with the default secret')
    .example(
      '$0 probe --webhook http://localhost:3000/hooks --dialect replicate',
      'Send the webhooks of another service',
    )
    .example(
      '$0 probe --webhook http://localhost:3000/hooks --report probe.xml',
      'Write a JUnit report for CI',
    )
    .check(({ webhook, timeout, 'auth-header': header }) => {
      checkUrl('webhook', webhook)
      if (header !== undefined) readAuthHeader(header)
      if (timeout === undefined || readDuration(timeout)) return true
      throw new CommandLineError(`--timeout must be ${DURATION_FORM}; got ${JSON.stringify(timeout)}.`)
    }) as unknown as Argv<ProbeArguments>
}

async function probe(args: ArgumentsCamelCase<ProbeArguments>): Promise<void> {
  const url = httpUrl(args.webhook) ?? args.webhook
  const context = await contextOf(args)
  const timeout = readDuration(args.timeout ?? '') ?? context.keys.format.timeout
  const lines = withFailures(await runProbes({ url, timeout }, context), args['fail-on'])
  const failures = failuresOf(lines, args['fail-on'])
  await writeReport(
    { name: 'tasksim probe', subject: `${maskUrl(url)}: ${countOf(lines)}`, lines, failures },
    args,
    process.stdout,
  )
  if (failures.length > 0) process.exitCode = 1
}

async function contextOf(args: ProbeArguments): Promise<ProbeContext> {
  const header = args['auth-header']
  return buildContext({
    scenario: (await findScenario(args.scenario)).scenario,
    dialect: args.dialect,
    secret: args['webhook-secret'],
    previousSecret: args['previous-secret'],
    authHeader: header === undefined ? undefined : readAuthHeader(header),
    taskId: args['task-id'],
  })
}

/** What the command line says about the webhooks. */
interface ProbeOptions {
  readonly scenario: Scenario
  /** The name of a dialect, or the path of a dialect file; that of `tasks` if undefined. */
  readonly dialect: string | undefined
  /** The signing secret; that of the scenario if undefined. */
  readonly secret: string | undefined
  readonly previousSecret: string | undefined
  readonly authHeader: AuthHeader | undefined
  readonly taskId: string | undefined
}

/**
 * Finds the format of the webhooks, and what its signature depends on.
 * @throws UsageError if there is no such dialect, it sends no webhooks, or an option does not fit it
 */
async function buildContext(options: ProbeOptions): Promise<ProbeContext> {
  const { scenario, secret, previousSecret, taskId, authHeader } = options
  const { dialect, dialects } = await loadGivenDialect(options.dialect, scenario)
  const format = withAuthHeader(dialect.webhooks(scenario), dialect.name, authHeader)
  const keys = {
    format,
    secret: secret ?? format.secret,
    previousSecret: previousSecret ?? format.previousSecret,
  }
  if (!sendsWebhooks(format)) throw await noWebhooks(dialect, dialects, scenario)
  const rule = await signatureRuleOf(format, keys.secret)
  const isRotating = previousSecret !== undefined
  if (isRotating && rule?.hasSecret !== true)
    throw new CommandLineError(`The dialect ${dialect.name} signs with no secret, so omit --previous-secret.`)
  return { dialect, keys, rule, taskId, isRotating }
}

function sendsWebhooks(format: WebhookFormat): boolean {
  return eventsOf({ keys: { format, secret: '', previousSecret: '' } }).length > 0
}

async function noWebhooks(dialect: Dialect, dialects: Dialects, scenario: Scenario): Promise<Error> {
  const all = await Promise.all(dialects.names.map((name) => dialects.load(name)))
  const senders = all.filter((each) => sendsWebhooks(each.webhooks(scenario))).map(({ name }) => name)
  return new CommandLineError(
    `The dialect ${dialect.name} sends no webhooks. These do: ${senders.join(', ')}.`,
  )
}
