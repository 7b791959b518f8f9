import type { ArgumentsCamelCase, Argv } from 'yargs'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { httpUrl } from '../../engine/webhooks/http-url.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import { misuse } from '../explain.js'
import { findScenario } from '../find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { attack } from '../probe/attack.js'
import type { ProbeContext } from '../probe/context.js'
import { checkUrl, scenarioPositional, secretOption } from '../simulator-options.js'
import { deliver, type ReportArguments } from '../verdict/deliver.js'
import { countOf, type FailOn, failuresOf, withFailures } from '../verdict/judged.js'
import { reportOptions } from '../verdict/report-options.js'

interface ProbeArguments extends ReportArguments {
  scenario: string
  webhook: string
  'webhook-secret': string | undefined
  'previous-secret': string | undefined
  'task-id': string | undefined
  timeout: string
  'fail-on': FailOn
}

/** Attacks a webhook endpoint with all that it must stand, without a server and without a task. */
export const probeCommand: LazyCommand<ProbeArguments> = {
  builder: (yargs) => options(yargs),
  handler: probe,
}

function options(yargs: Argv): Argv<ProbeArguments> {
  return yargs
    .usage(
      '$0 probe --webhook URL\n\nSends some forty requests to the URL, and to nothing else: a genuine event, forged, damaged, unusual,\nrepeated and slow ones. Ends with status 1 where the receiver does something wrong.',
    )
    .positional('scenario', { ...scenarioPositional, describe: 'Whose secret and form of signature to use' })
    .option('webhook', {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'URL of the endpoint; use one of a development system',
    })
    .option('webhook-secret', secretOption())
    .option('previous-secret', {
      type: 'string',
      requiresArg: true,
      describe: 'The secret before it, which the receiver should still accept, as during a rotation',
    })
    .option('task-id', {
      type: 'string',
      requiresArg: true,
      describe: 'A task that the receiver knows; an unknown one for each probe unless given',
    })
    .option('timeout', { type: 'string', default: '15s', describe: 'How long an answer may take' })
    .options(reportOptions())
    .example('$0 probe --webhook http://localhost:3000/hooks', 'With the local secret')
    .example('$0 probe --webhook http://localhost:3000/hooks --report probe.xml', 'JUnit, for CI')
    .check(({ webhook, timeout }) => {
      checkUrl('webhook', webhook)
      if (readDuration(timeout)) return true
      throw misuse(`--timeout must be ${DURATION_FORM}; got ${JSON.stringify(timeout)}.`)
    }) as unknown as Argv<ProbeArguments>
}

async function probe(args: ArgumentsCamelCase<ProbeArguments>): Promise<void> {
  const url = httpUrl(args.webhook) ?? args.webhook
  const timeout = readDuration(args.timeout) ?? 15_000
  const judged = withFailures(await attack({ url, timeout }, await contextOf(args)), args['fail-on'])
  const failures = failuresOf(judged, args['fail-on'])
  await deliver(
    { name: 'tasksim probe', subject: `${maskUrl(url)}: ${countOf(judged)}`, judged, failures },
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
      format: webhooks.signature,
    },
    taskId: args['task-id'],
    isRotating: args['previous-secret'] !== undefined,
  }
}
