import { UsageError } from '../../engine/errors.js'
import { maskUrl } from '../../engine/mask.js'
import { isSuccess } from '../../engine/requests/statuses.js'
import type { TargetPolicy } from '../../engine/webhooks/attempts/target-policy.js'
import { exampleState } from '../../engine/webhooks/events/example-task.js'
import { EVENT_NAMES } from '../../engine/webhooks/events/task-event.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { flawOfEvent } from '../../engine/webhooks/webhook-format.js'
import { buildSimulator } from '../../library/build-simulator.js'
import { shippedScenario } from '../../scenario/shipped.js'
import { defineCommand } from '../command.js'
import { readGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { checkUrl, secretOption, webhookDialectOption } from '../options/options.js'
import { colors, flush, print } from '../output.js'
import { nodeTransport } from '../transport/node-transport.js'

/** Allows every URL, because the only URL comes from the user. */
const ALLOW_ALL: TargetPolicy = { mayCall: () => true, mayReach: () => true }

/** Sends one signed example event, without a server and without a task. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .positional('event', { choices: EVENT_NAMES, demandOption: true, describe: 'Event to send' })
      .option('to', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'URL of the receiver',
      })
      .option('dialect', webhookDialectOption)
      .option('webhook-secret', secretOption())
      .example('$0 trigger task.failed --to http://localhost:3000/hooks', 'Send a task.failed event')
      .check(({ to }) => {
        checkUrl('to', to)
        return true
      }),
  async handler({ event, to, dialect: given, 'webhook-secret': webhookSecret }) {
    const url = httpUrl(to) ?? to
    const { name: dialectName, tables } = await readGivenDialect(given)
    const sim = buildSimulator(shippedScenario('default'), {
      dialects: tables,
      transport: nodeTransport(ALLOW_ALL),
      webhookAllow: [url],
      ...(webhookSecret && { webhookSecret }),
    })
    const dialect = await sim.dialects.load(dialectName ?? sim.dialects.main)
    const flaw = flawOfEvent(event, dialect.name, dialect.webhooks(sim.scenario))
    if (flaw !== undefined) throw new CommandLineError(flaw)
    const [sent] = sim.webhooks.trigger(exampleState, event, url, dialect.name)
    await sent?.attempted
    const attempt = sim.webhooks.log.get(sent?.id ?? '')?.attempts[0]
    sim.close()
    const { status, error, took = 0, answer } = attempt ?? {}
    const maskedUrl = maskUrl(to)
    if (status === undefined) throw new UsageError(`No response from ${maskedUrl}: ${error}`)
    const isAccepted = isSuccess(status)
    print(
      `${event} -> ${maskedUrl} ${(isAccepted ? colors.green : colors.red)(String(status))} ${Math.round(took)}ms`,
    )
    if (answer?.body) print(answer.body)
    flush()
    if (!isAccepted) process.exitCode = 1
  },
})
