import type { Argv } from 'yargs'
import type { Dialect } from '../../dialects/dialect.js'
import type { Dialects } from '../../dialects/dialects.js'
import { readDuration } from '../../engine/clock/durations.js'
import { maskUrl } from '../../engine/mask.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { isSigned, type WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import type { Scenario } from '../../scenario/scenario.js'
import { type ArgumentsOf, defineCommand } from '../command.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import {
  checkUrl,
  overridingSecretOption,
  readDurationOption,
  scenarioPositional,
  webhookDialectOption,
} from '../options/options.js'
import { eventsOf } from '../probe/events.js'
import type { ProbeContext } from '../probe/probe.js'
import { runProbes } from '../probe/run-probes.js'
import { signatureRuleOf } from '../probe/signature-rule.js'
import { countOf, failuresOf, withFailures } from '../report/report.js'
import { reportOptions, writeReport } from '../report/write-report.js'

/** Tests a webhook endpoint, without a server and without a task. */
export const command = defineCommand({
  builder: options,
  handler: probe,
})

type ProbeArguments = ArgumentsOf<typeof options>

function options(yargs: Argv) {
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
    .option('dialect', webhookDialectOption)
    .option('webhook-secret', overridingSecretOption())
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
      if (timeout !== undefined) readDurationOption('timeout', timeout)
      return true
    })
}

async function probe(args: ProbeArguments): Promise<void> {
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

/**
 * Finds the format of the webhooks, and what its signature depends on.
 * @throws UsageError if there is no such dialect, it sends no webhooks, or an option does not fit it
 */
async function contextOf(args: ProbeArguments): Promise<ProbeContext> {
  const { 'webhook-secret': secret, 'previous-secret': previousSecret, 'auth-header': header } = args
  const { scenario } = await findScenario(args.scenario)
  const { dialect, dialects } = await loadGivenDialect(args.dialect, scenario)
  const authHeader = header === undefined ? undefined : readAuthHeader(header)
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
  return { dialect, keys, rule, taskId: args['task-id'], isRotating }
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

type Headers = Readonly<Record<string, string>>

/** A header with a fixed key, which the receiver checks. */
interface AuthHeader {
  readonly name: string
  readonly value: string
}

/**
 * Reads a header in the form `NAME: VALUE`.
 * @throws UsageError if it has another form
 */
function readAuthHeader(text: string): AuthHeader {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return { name, value }
  throw new CommandLineError(
    `--auth-header must be a header such as 'X-Key: secret'; got ${JSON.stringify(text)}.`,
  )
}

/**
 * Adds a header with a key to the webhooks of a service.
 * @throws UsageError if the service signs its webhooks
 */
function withAuthHeader(
  format: WebhookFormat,
  dialect: string,
  header: AuthHeader | undefined,
): WebhookFormat {
  if (header === undefined) return format
  if (isSigned(format))
    throw new CommandLineError(`The dialect ${dialect} signs its webhooks, so omit --auth-header.`)
  const others = (headers: Headers) =>
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== header.name.toLowerCase())
  return {
    ...format,
    headers: (name, state) => Object.fromEntries(others(format.headers?.(name, state) ?? {})),
    sign: () => ({ [header.name]: header.value }),
    malformed: { [header.name]: 'not-a-key' },
  }
}
