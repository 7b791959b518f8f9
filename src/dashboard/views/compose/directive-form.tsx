import { FAULTS, OUTCOMES, WEBHOOK_FAULTS } from '../../model/compose/directive-choices.js'
import type { Order } from '../../model/compose/order.js'
import { ERROR_CODES } from '../../model/error-codes.js'
import { Card } from '../../parts/card.js'
import { ChoiceField, TextField } from './field.js'

/** What the request overrides in the scenario, with the header `X-Sim`. */
export function DirectiveForm({
  order,
  error,
  onChange,
}: {
  readonly order: Order
  /** Why the directives are not accepted. */
  readonly error: string | undefined
  readonly onChange: (change: Order) => void
}) {
  const field = (name: string) => ({
    value: order[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const fails = order['outcome'] === 'failed' || Boolean(order['error'] || order['message'])
  return (
    <Card title="Behavior">
      <div class="fields">
        <ChoiceField
          label="Outcome"
          none="From the scenario"
          choices={OUTCOMES}
          value={order['outcome'] ?? ''}
          onChange={(outcome) =>
            onChange({ outcome, ...(outcome !== '' && outcome !== 'failed' && { error: '', message: '' }) })
          }
        />
        {fails && (
          <>
            <TextField
              label="Error code"
              values={ERROR_CODES}
              placeholder="content_policy"
              {...field('error')}
            />
            <TextField label="Error message" {...field('message')} />
          </>
        )}
        <TextField label="Processing time" placeholder="2s, 5m" {...field('after')} />
        <TextField label="Ends at poll" placeholder="number" {...field('polls')} />
        <TextField label="Cost in US dollars" placeholder="0.25" {...field('cost')} />
        <ChoiceField
          label="Request fault"
          none="None"
          choices={FAULTS}
          value={order['fault'] ?? ''}
          onChange={(fault) => onChange({ fault, ...(!isStatus(fault) && { retry_after: '' }) })}
        />
        {isStatus(order['fault']) && (
          <TextField label="Retry-After" placeholder="5s" {...field('retry_after')} />
        )}
        <ChoiceField label="Webhook fault" none="None" choices={WEBHOOK_FAULTS} {...field('webhook')} />
        <TextField label="Webhook delay" placeholder="30s" {...field('webhook_delay')} />
      </div>
      {error !== undefined && (
        <p class="field-note field-error" role="status">
          {error}
        </p>
      )}
    </Card>
  )
}

/** Whether a fault is a status, which may come with a Retry-After header. */
function isStatus(fault: string | undefined): boolean {
  return /^\d/.test(fault ?? '')
}
