import type { ArgumentsCamelCase, Argv } from 'yargs'
import { taskWebhooks } from '../../dialects/tasks/webhooks.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { httpUrl } from '../../engine/webhooks/http-url.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import type { ProbeContext } from '../probe/context.js'
import { runProbes } from '../probe/run-probes.js'
import { countOf, type FailOn, failuresOf, withFailures } from '../report/report.js'
import { type ReportArguments, reportOptions, writeReport } from '../report/write-report.js'
import { checkUrl, SECRET_DESCRIPTION, scenarioPositional, secretOption } from '../simulator-options.js'

interface ProbeArguments extends ReportArguments {
  scenario: string
  webhook: string
  'webhook-secret': string | undefined
  'previous-secret': string | undefined
  'task-id': string | undefined
  timeout: string
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
      '$0 probe --webhook URL\n\nSends about 40 requests to the URL: genuine events, then forged, damaged, unusual, duplicate and slow ones.\nThe exit status is 1 if the receiver makes a mistake.',
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
    .option('webhook-secret', { ...secretOption(), describe: SECRET_DESCRIPTION })
    .option('previous-secret', {
      type: 'string',
      requiresArg: true,
      describe: 'Previous secret that the receiver must still accept, during a rotation',
    })
    .option('task-id', {
      type: 'string',
      requiresArg: true,
      describe: 'Id of a task that the receiver knows (default: a new id for each probe)',
    })
    .option('timeout', { type: 'string', default: '15s', describe: 'Maximum time for a response' })
    .options(reportOptions())
    .example('$0 probe --webhook http://localhost:3000/hooks', 'Sign with the default secret')
    .example(
      '$0 probe --webhook http://localhost:3000/hooks --report probe.xml',
      'Write a JUnit report for CI',
    )
    .check(({ webhook, timeout }) => {
      checkUrl('webhook', webhook)
      if (readDuration(timeout)) return true
      throw new CommandLineError(`--timeout must be ${DURATION_FORM}; got ${JSON.stringify(timeout)}.`)
    }) as unknown as Argv<ProbeArguments>
}

async function probe(args: ArgumentsCamelCase<ProbeArguments>): Promise<void> {
  const url = httpUrl(args.webhook) ?? args.webhook
  const timeout = readDuration(args.timeout) ?? 15_000
  const lines = withFailures(await runProbes({ url, timeout }, await contextOf(args)), args['fail-on'])
  const failures = failuresOf(lines, args['fail-on'])
  await writeReport(
    { name: 'tasksim probe', subject: `${maskUrl(url)}: ${countOf(lines)}`, lines, failures },
    args,
    process.stdout,
  )
  if (failures.length > 0) process.exitCode = 1
}

async function contextOf(args: ProbeArguments): Promise<ProbeContext> {
  const { webhooks } = (await findScenario(args.scenario)).scenario
  return {
    keys: {
      secret: args['webhook-secret'] ?? webhooks.secret,
      previousSecret: args['previous-secret'] ?? webhooks.previousSecret,
      format: taskWebhooks(webhooks),
    },
    taskId: args['task-id'],
    isRotating: args['previous-secret'] !== undefined,
  }
}
