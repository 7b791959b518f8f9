import { maskUrl } from '../../engine/mask.js'
import type { ReceiverSettings } from '../../engine/webhooks/receivers/receiver.js'
import { isSigned } from '../../engine/webhooks/webhook-format.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { dialectOption } from '../options/dialect-option.js'
import { scenarioPositional } from '../options/scenario-argument.js'
import { SECRET_DESCRIPTION, secretOption } from '../options/secret-option.js'
import { flush, print } from '../output.js'

interface SecretArguments {
  scenario: string
  dialect: string | undefined
  receiver: string | undefined
  'webhook-secret': string | undefined
}

/** Prints the secret that signs webhooks. The control API masks it, so only those who can read the scenario get it. */
export const secretCommand: LazyCommand<SecretArguments> = {
  builder: (yargs) =>
    yargs
      .positional('scenario', scenarioPositional)
      .option('dialect', dialectOption)
      .option('receiver', {
        type: 'string',
        requiresArg: true,
        describe: 'URL of a receiver that has its own secret in the scenario',
      })
      .option('webhook-secret', { ...secretOption(), describe: SECRET_DESCRIPTION })
      .example('WEBHOOK_SECRET="$($0 secret)" npm start', 'Pass the secret to your app')
      .example('$0 secret ./flaky.yaml --dialect replicate', 'Print the secret of the webhooks of a service'),
  async handler({ scenario: name, dialect: given, receiver: url, 'webhook-secret': webhookSecret }) {
    const { scenario } = await findScenario(name)
    const { dialect } = await loadGivenDialect(given, scenario)
    const format = dialect.webhooks(scenario)
    if (!isSigned(format))
      throw new CommandLineError(`The service ${dialect.name} does not sign its webhooks.`)
    const receiver = url === undefined ? undefined : receiverAt(url, scenario.webhooks.receivers)
    print(receiver?.secret ?? (webhookSecret || format.secret))
    flush()
  },
}

/**
 * The receiver at a URL. The dashboard shows URLs whose secrets are masked.
 * @throws UsageError if there is none
 */
function receiverAt(url: string, receivers: readonly ReceiverSettings[]): ReceiverSettings {
  const found = receivers.find((receiver) => receiver.url === url || maskUrl(receiver.url) === url)
  if (found !== undefined) return found
  const urls = receivers.map((receiver) => maskUrl(receiver.url)).join(', ')
  throw new CommandLineError(
    urls === ''
      ? 'The scenario has no receivers. Omit --receiver.'
      : `The scenario has no receiver at ${maskUrl(url)}. Give one of its receivers: ${urls}`,
  )
}
