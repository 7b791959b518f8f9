import type { WrittenRequestShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import { ERROR_CODES, FAULTS, OUTCOMES, WEBHOOK_FAULTS } from '../../model/compose/directive-choices.js'
import { NO_WEBHOOK, type Order } from '../../model/compose/order.js'
import { Card } from '../../parts/blocks.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { useReceivers } from '../../state/fetched.js'
import { changeOrder, order, orderErrorOf, replaceOrder } from '../../state/order.js'
import { linkTo } from '../../state/route.js'

/** The receiver of the webhooks of the task. */
export function WebhookForm({ written }: { readonly written: WrittenRequestShape }) {
  const { value: receivers = [] } = useReceivers()
  const urls = receivers.map(({ url }) => url)
  const given = order.value['webhook_url'] ?? written.webhook_url ?? ''
  return (
    <Card title="Webhook">
      {written.has_webhook_url ? (
        <TextField
          label="Webhook URL"
          value={given === NO_WEBHOOK ? '' : given}
          values={urls}
          placeholder="none"
          error={orderErrorOf('webhook_url')}
          onChange={(url) => changeOrder({ webhook_url: url === '' ? NO_WEBHOOK : url })}
        />
      ) : (
        <p class="field-note">Requests of {written.dialect} have no webhook URL.</p>
      )}
      <p class="field-note">
        The webhooks of all tasks also go to the{' '}
        <a href={linkTo({ view: 'webhooks' })}>{counted(receivers.length, 'registered receiver')}</a>.
      </p>
    </Card>
  )
}

/** A field of the form. One with choices is a select box. */
interface DirectiveField {
  /** The name of the directive. */
  readonly name: string
  readonly label: string
  readonly choices?: Readonly<Record<string, string>>
  /** The label of no choice. */
  readonly all?: string
  /** Suggestions. */
  readonly values?: readonly string[]
  readonly placeholder?: string
  /** Whether it means something in an order. */
  readonly isShown?: (order: Order) => boolean
}

const DIRECTIVES: readonly DirectiveField[] = [
  { name: 'outcome', label: 'Outcome', choices: OUTCOMES, all: 'From the scenario' },
  {
    name: 'error',
    label: 'Error code',
    values: ERROR_CODES,
    placeholder: 'content_policy',
    isShown: mayFail,
  },
  { name: 'message', label: 'Error message', isShown: mayFail },
  { name: 'after', label: 'Processing time', placeholder: '2s, 5m' },
  { name: 'polls', label: 'Ends at poll', placeholder: 'number' },
  { name: 'cost', label: 'Cost in US dollars', placeholder: '0.25' },
  { name: 'fault', label: 'Request fault', choices: FAULTS, all: 'None' },
  { name: 'retry_after', label: 'Retry-After', placeholder: '5s', isShown: hasStatus },
  { name: 'webhook', label: 'Webhook fault', choices: WEBHOOK_FAULTS, all: 'None' },
  { name: 'webhook_delay', label: 'Webhook delay', placeholder: '30s' },
]

function mayFail({ outcome, error, message }: Order): boolean {
  return outcome === 'failed' || Boolean(error || message)
}

/** Whether the fault is a status, which may come with a Retry-After header. */
function hasStatus({ fault = '' }: Order): boolean {
  return /^\d/.test(fault)
}

/** An order with a directive, and without those that mean nothing beside it. */
function withDirective(order: Order, name: string, value: string): Order {
  const changed = { ...order, [name]: value }
  if (name === 'outcome' && value !== '' && value !== 'failed') return { ...changed, error: '', message: '' }
  return name === 'fault' && !hasStatus(changed) ? { ...changed, retry_after: '' } : changed
}

/** What the request overrides in the scenario, with the header `X-Sim`. */
export function DirectiveForm() {
  const flaw = orderErrorOf('directives')
  return (
    <Card title="Behavior">
      <div class="fields">
        {DIRECTIVES.filter(({ isShown }) => isShown?.(order.value) ?? true).map(
          ({ name, isShown: _, choices, ...field }) => {
            const bound = {
              value: order.value[name] ?? '',
              onChange: (value: string) => replaceOrder(withDirective(order.peek(), name, value)),
            }
            return choices === undefined ? (
              <TextField key={name} {...field} {...bound} />
            ) : (
              <ChoiceField key={name} {...field} {...bound} values={Object.keys(choices)} labels={choices} />
            )
          },
        )}
      </div>
      {flaw !== undefined && (
        <p class="field-note field-error" role="status">
          {flaw}
        </p>
      )}
    </Card>
  )
}
