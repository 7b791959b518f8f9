import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import { inputFlaw, needsKey, newRequestOf, type Order, type SentRequest } from '../../model/compose/order.js'
import { Card, Loading } from '../../parts/blocks.js'
import { Button, MainButton } from '../../parts/button.js'
import { describeError, type Flaw } from '../../state/notifications.js'
import { order, orderFlaw, ownKey, replaceOrder, showOrder, useOrder, written } from '../../state/order.js'
import { linkTo, route } from '../../state/route.js'
import { runRequest } from '../../state/run-request.js'
import { control } from '../../state/session.js'
import '../../styles/composer.css'
import { Icon } from '../../parts/icon.js'
import { taskList } from '../../state/tasks.js'
import { InputForm } from './input-form.js'
import { CodeTabs, ServiceForm } from './service-form.js'
import { DirectiveForm, WebhookForm } from './webhook-form.js'

/** Composes a request that creates a task, shows its code, and sends it. */
export function ComposeView() {
  useOrder()
  const sent = useSignal<SentRequest | undefined>(undefined)
  const run = useRun((next) => {
    // The way back from the task must lead to this order.
    showOrder()
    sent.value = next
  })
  const { value: request } = written
  const { value: flaw } = orderFlaw
  if (request === undefined) return flaw === undefined ? <Loading what="The form" /> : <Unknown flaw={flaw} />
  // A request that the service would reject can be sent, to see its answer.
  const problem = incompleteness(order.value, request) ?? flaw?.message
  return (
    <div class="compose stack">
      <header class="compose-head line">
        <h2>New task</h2>
        {order.value['from'] && <span class="muted">from {order.value['from']}</span>}
        <span class="spring" />
        {Object.keys(order.value).length > 0 && (
          <Button variant="quiet" onPress={() => replaceOrder({})}>
            Clear
          </Button>
        )}
        <MainButton icon="play" label="Send the request" isDisabled={problem !== undefined} onPress={run}>
          Run
        </MainButton>
      </header>
      <SentNote sent={sent.value} model={request.model} />
      <div class="compose-columns">
        <div class="compose-form stack">
          {flaw !== undefined && !PLACED.includes(flaw.field ?? '') && (
            <p class="field-note field-error" role="alert">
              {flaw.message}
            </p>
          )}
          <ServiceForm written={request} />
          <InputForm written={request} />
          <DirectiveForm />
          <WebhookForm written={request} />
        </div>
        <div class="compose-code">
          <CodeTabs written={request} />
        </div>
      </div>
    </div>
  )
}

/** The fields that show why they are not accepted. */
const PLACED = ['directives', 'webhook_url', 'model']

function Unknown({ flaw }: { readonly flaw: Flaw }) {
  return (
    <Card title="New task">
      <p role="alert">{flaw.message}</p>
      <div class="actions">
        <Button onPress={() => replaceOrder({})}>Start with the defaults</Button>
      </div>
    </Card>
  )
}

/** What the user still has to give. Unlike a flaw that the server has found, it is never outdated. */
function incompleteness(order: Order, written: WrittenRequestShape): string | undefined {
  const { input } = order
  if (input !== undefined && inputFlaw(input) !== undefined) return inputFlaw(input)
  return needsKey(written.request) && ownKey.value === '' ? 'The request needs an API key.' : undefined
}

/** Returns a function that sends the request of the order, as it is at that moment. */
function useRun(onSent: (sent: SentRequest | undefined) => void): () => Promise<void> {
  const runs = useRef(0)
  return async () => {
    const { value: request } = written
    if (request === undefined) return
    runs.current += 1
    const own = runs.current
    const set = (next: SentRequest | undefined) => own === runs.current && onSent(next)
    const missing = incompleteness(order.peek(), request)
    if (missing !== undefined) {
      set({ state: 'unsent', reason: missing })
      return
    }
    set(undefined)
    const known = newestOf(request.model)
    const timer = setTimeout(() => set({ state: 'held', known }), PATIENCE)
    try {
      const { request } = await control.peek().dialects.write(newRequestOf(order.peek()))
      const isOpen = () => own === runs.current && route.peek().view === 'new'
      set(await runRequest(request, ownKey.peek(), isOpen))
    } catch (error) {
      set({ state: 'unsent', reason: describeError(error) })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** When to say that the service holds its answer, in milliseconds. */
const PATIENCE = 1_000

/** The id of the newest task of a model. */
function newestOf(model: string): string | undefined {
  return taskList.store.list((task) => task.model === model)[0]?.id
}

/** What has become of the request. */
function SentNote({ sent, model }: { readonly sent: SentRequest | undefined; readonly model: string }) {
  taskList.version.value
  const newest = sent?.state === 'held' ? newestOf(model) : undefined
  return (
    <div role="alert" class="sent-box">
      {sent?.state === 'held' && (
        <p class="box">
          The service holds its answer, usually until the task has ended.{' '}
          {newest !== undefined && newest !== sent.known && (
            <a href={linkTo({ view: 'tasks', id: newest })}>Open the new task</a>
          )}
        </p>
      )}
      {(sent?.state === 'refused' || sent?.state === 'unsent') && (
        <p class="box box-bad line">
          <Icon name="error" />
          <span>
            {sent.state === 'refused' && <b class="status status-4">{sent.status}</b>} {sent.reason}{' '}
            {sent.state === 'refused' ? (
              <a href={linkTo({ view: 'requests', id: sent.requestId })}>Show the request</a>
            ) : (
              <a href={linkTo({ view: 'requests' })}>Show requests</a>
            )}
          </span>
        </p>
      )}
    </div>
  )
}
