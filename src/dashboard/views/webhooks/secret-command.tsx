import { secretCommand } from '../../model/webhooks/secret-command.js'
import { Code } from '../../parts/blocks.js'
import { useReceivers } from '../../state/fetched.js'
import { simulator } from '../../state/session.js'

/** Says how to get the secret that signs webhooks: the server never shows secrets. */
export function SecretCommand({ dialect, url }: { readonly dialect: string; readonly url?: string }) {
  const { value: receivers } = useReceivers()
  const own = receivers?.find((receiver) => receiver.url === url && receiver.secret !== undefined)
  const scenario = simulator.value?.scenario.name
  if (receivers === undefined || scenario === undefined) return null
  if (own !== undefined && own.source !== 'scenario')
    return (
      <p class="muted">
        This receiver has its own secret, <code>{own.secret}</code>: the one with which it was registered.
      </p>
    )
  const command = secretCommand(scenario, dialect, own?.url)
  return command === undefined ? (
    <p class="muted">
      The secret is the one in the scenario that was applied, unless the server was started with{' '}
      <code>--webhook-secret</code>.
    </p>
  ) : (
    <>
      <p class="muted">
        The page never shows a whole secret. This command prints it, unless the server was started with{' '}
        <code>--webhook-secret</code>:
      </p>
      <Code text={command} label="Command for the secret" />
    </>
  )
}
