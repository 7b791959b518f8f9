import { type Signal, useSignal } from '@preact/signals'
import type { ReceiverShape, WebhookTrigger } from '../../../control/shapes.js'
import { isSuccess } from '../../../engine/requests/statuses.js'
import { Card, Code } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Choice } from '../../parts/choices.js'
import { TextField } from '../../parts/field.js'
import { setter } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { useDialects } from '../../state/dialects.js'
import { useReceivers } from '../../state/fetched.js'
import { describeError, notify, runAction } from '../../state/notifications.js'
import { control } from '../../state/session.js'
import { SecretCommand } from './secret-command.js'

/** Where a receiver comes from. */
const SOURCES: Readonly<Record<ReceiverShape['source'], string>> = {
  scenario: 'from the scenario',
  option: 'from an option such as --webhook',
  control: 'added through the control API',
  api: 'registered by a client',
}

/** The receivers of the webhooks of all tasks. */
export function Receivers() {
  const example = useSignal<ExampleEvent>(FIRST_EXAMPLE)
  const { value: receivers, reload } = useReceivers()
  return (
    <Card title="Receivers" aside={<ExampleChoice example={example} />}>
      <ul class="stack">
        {receivers?.map((receiver) => (
          <Receiver key={receiver.id} receiver={receiver} example={example.value} onChange={reload} />
        ))}
      </ul>
      {receivers?.length === 0 && (
        <>
          <p class="hint">
            No receivers yet. Add the URL of your handler, or run a receiver that prints each webhook:
          </p>
          <Code text="npx tasksim listen" label="Command" />
        </>
      )}
      <NewReceiver onChange={reload} />
      <details>
        <summary>Signing secret</summary>
        <SecretCommand dialect={example.value.dialect} />
      </details>
    </Card>
  )
}

function Receiver({
  receiver,
  example: { event, dialect },
  onChange,
}: {
  readonly receiver: ReceiverShape
  readonly example: ExampleEvent
  readonly onChange: () => void
}) {
  const { id, url, source, active, off_because: why, secret, registration, ordered } = receiver
  const events = receiver.events ?? registration?.events
  const test = async () => {
    const sent = await runAction(() => control.value.webhooks.trigger(event, { receiver: id }, { dialect }))
    if (sent === undefined) return
    const { status, error = 'no answer yet' } = sent[0]?.attempts.at(-1) ?? {}
    notify(isSuccess(status) ? 'good' : 'bad', `${event}: ${status ?? error}`)
  }
  const remove = async () => {
    await runAction(() => control.value.receivers.remove(id), 'Receiver removed.')
    onChange()
  }
  return (
    <li class="receiver">
      <div>
        <code>{url}</code>
        <p class="small">
          {active ? (
            <>
              {SOURCES[source]}
              {registration !== undefined && ` of ${registration.dialect}, key ${registration.key}`}
            </>
          ) : (
            <span class="state state-failed">
              <Icon name="failed" /> disabled: {why}
            </span>
          )}
          {secret !== undefined && <> · secret {secret}</>}
          {events !== undefined && <> · {events.join(', ')}</>}
          {ordered && <> · in order</>}
        </p>
      </div>
      <Button label={`Send ${event} to ${url}`} onPress={test}>
        Test
      </Button>
      <Button variant="quiet" icon="bin" label={`Remove ${url}`} onPress={remove} />
    </li>
  )
}

function NewReceiver({ onChange }: { readonly onChange: () => void }) {
  const [url, secret, error] = [useSignal(''), useSignal(''), useSignal<string | undefined>(undefined)]
  const add = async () => {
    const given = { url: url.value.trim(), ...(secret.value !== '' && { secret: secret.value.trim() }) }
    try {
      await control.value.receivers.add(given)
    } catch (failure) {
      error.value = describeError(failure)
      return
    }
    notify('good', 'Receiver added. It gets the webhooks of all tasks that end from now on.')
    url.value = ''
    secret.value = ''
    onChange()
  }
  return (
    <form
      class="new-receiver"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <TextField
        label="URL"
        value={url.value}
        placeholder="http://localhost:3000/webhooks"
        error={error.value}
        onChange={(text) => {
          url.value = text
          error.value = undefined
        }}
      />
      <TextField label="Secret (optional)" value={secret.value} onChange={setter(secret)} />
      <button class="button button-plain" type="submit">
        <Icon name="add" />
        <span>Add receiver</span>
      </button>
    </form>
  )
}

/** The webhook that the button of a receiver sends. */
interface ExampleEvent {
  readonly dialect: string
  readonly event: NonNullable<WebhookTrigger['event']>
}

/** The webhook before the user has chosen one. */
const FIRST_EXAMPLE: ExampleEvent = { dialect: 'tasks', event: 'task.succeeded' }

/** Chooses the webhook of the tests, among those that the services send. */
function ExampleChoice({ example }: { readonly example: Signal<ExampleEvent> }) {
  const sent = useDialects().flatMap(({ name: dialect, events }) =>
    events.map(({ event, name }) => {
      const label = `${dialect}: ${event}${name === event ? '' : ` (${name})`}`
      return { dialect, event, label }
    }),
  )
  const { dialect, event } = example.value
  const chosen = sent.find((each) => each.dialect === dialect && each.event === event)
  const { label } = chosen ?? { label: `${dialect}: ${event}` }
  return (
    <Choice
      label="Test webhook"
      value={label}
      values={sent.length === 0 ? [label] : sent.map((each) => each.label)}
      onChange={(label) => {
        example.value = sent.find((each) => each.label === label) ?? FIRST_EXAMPLE
      }}
    />
  )
}
