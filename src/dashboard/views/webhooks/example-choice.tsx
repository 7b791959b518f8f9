import type { Signal } from '@preact/signals'
import type { DialectShape, WebhookTrigger } from '../../../control/shapes.js'
import { Choice } from '../../parts/choice.js'
import { useDialects } from '../../state/use-dialects.js'

type EventName = NonNullable<WebhookTrigger['event']>

/** The webhook that the button of a receiver sends. */
export interface ExampleEvent {
  readonly dialect: string
  readonly event: EventName
}

/** The webhook before the user has chosen one. */
export const FIRST_EXAMPLE: ExampleEvent = { dialect: 'tasks', event: 'task.succeeded' }

/** Chooses the format and the event of test webhooks, among those that a service sends. */
export function ExampleChoice({ example }: { readonly example: Signal<ExampleEvent> }) {
  const { dialect, event } = example.value
  const dialects = useDialects().filter(({ events }) => events.length > 0)
  const eventsOf = (wanted: string) => dialects.find(({ name }) => name === wanted)?.events ?? []
  const events = eventsOf(dialect)
  return (
    <>
      <Choice
        label="Test dialect"
        value={dialect}
        values={dialects.length === 0 ? [dialect] : dialects.map(({ name }) => name)}
        onChoose={(chosen) => {
          const sent = eventsOf(chosen)
          const same = sent.find((each) => each.event === event) ?? sent[0]
          example.value = { dialect: chosen, event: same?.event ?? event }
        }}
      />
      <Choice
        label="Test event"
        value={event}
        values={events.length === 0 ? [event] : events.map((each) => each.event)}
        labelOf={(each) => labelOf(each, events)}
        onChoose={(chosen) => {
          example.value = { dialect, event: events.find((each) => each.event === chosen)?.event ?? event }
        }}
      />
    </>
  )
}

function labelOf(event: string, events: DialectShape['events']): string {
  const name = events.find((each) => each.event === event)?.name ?? event
  return name === event ? event : `${event} (${name})`
}
