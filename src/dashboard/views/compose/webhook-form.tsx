import type { WrittenRequestShape } from '../../../control/shapes.js'
import { NO_WEBHOOK, type Order } from '../../model/compose/order.js'
import { Card } from '../../parts/card.js'
import { linkTo } from '../../state/route.js'
import { useReceivers } from '../../state/use-receivers.js'
import { TextField } from './field.js'

/** The receiver of the webhooks of the task. */
export function WebhookForm({
  order,
  written,
  error,
  onChange,
}: {
  readonly order: Order
  readonly written: WrittenRequestShape
  readonly error: string | undefined
  readonly onChange: (change: Order) => void
}) {
  const { value: receivers = [] } = useReceivers()
  const urls = receivers.map(({ url }) => url)
  const given = order['webhook_url'] ?? written.webhook_url ?? ''
  return (
    <Card title="Webhook">
      {written.has_webhook_url ? (
        <TextField
          label="Webhook URL"
          value={given === NO_WEBHOOK ? '' : given}
          values={urls}
          placeholder="none"
          error={error}
          onChange={(url) => onChange({ webhook_url: url === '' ? NO_WEBHOOK : url })}
        />
      ) : (
        <p class="field-note">
          Requests of {written.dialect} have no webhook URL. Registered receivers get the webhooks of all
          tasks.
        </p>
      )}
      <p class="field-note">
        {receivers.length === 0 ? (
          <>
            No receiver is registered. <a href={linkTo({ view: 'webhooks' })}>Add one</a> for the webhooks of
            all tasks.
          </>
        ) : (
          <>
            <a href={linkTo({ view: 'webhooks' })}>
              {receivers.length} registered receiver{receivers.length === 1 ? '' : 's'}
            </a>{' '}
            {receivers.length === 1 ? 'gets' : 'get'} the webhooks of all tasks.
          </>
        )}
      </p>
    </Card>
  )
}
