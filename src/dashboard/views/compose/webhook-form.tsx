import type { WrittenRequestShape } from '../../../control/shapes.js'
import { ERROR_CODES, FAULTS, OUTCOMES, WEBHOOK_FAULTS } from '../../model/compose/directive-choices.js'
import { NO_WEBHOOK } from '../../model/compose/order.js'
import { Card } from '../../parts/blocks.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { useReceivers } from '../../state/fetched.js'
import { changeOrder, order, orderErrorOf } from '../../state/order.js'
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

/** What the request overrides in the scenario, with the header `X-Sim`. */
export function DirectiveForm() {
  const { outcome = '', error, message, fault = '' } = order.value
  const flaw = orderErrorOf('directives')
  const field = (name: string) => ({
    value: order.value[name] ?? '',
    onChange: (value: string) => changeOrder({ [name]: value }),
  })
  const fails = outcome === 'failed' || Boolean(error || message)
  return (
    <Card title="Behavior">
      <div class="fields">
        <ChoiceField
          label="Outcome"
          none="From the scenario"
          choices={OUTCOMES}
          value={outcome}
          onChange={(outcome) =>
            changeOrder({
              outcome,
              ...(outcome !== '' && outcome !== 'failed' && { error: '', message: '' }),
            })
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
          value={fault}
          onChange={(fault) => changeOrder({ fault, ...(!isStatus(fault) && { retry_after: '' }) })}
        />
        {isStatus(fault) && <TextField label="Retry-After" placeholder="5s" {...field('retry_after')} />}
        <ChoiceField label="Webhook fault" none="None" choices={WEBHOOK_FAULTS} {...field('webhook')} />
        <TextField label="Webhook delay" placeholder="30s" {...field('webhook_delay')} />
      </div>
      {flaw !== undefined && (
        <p class="field-note field-error" role="status">
          {flaw}
        </p>
      )}
    </Card>
  )
}

/** Whether a fault is a status, which may come with a Retry-After header. */
function isStatus(fault: string): boolean {
  return /^\d/.test(fault)
}
