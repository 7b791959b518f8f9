import { type Signal, useSignal } from '@preact/signals'
import type { UpcomingEventShape, UpcomingShape } from '../../../control/shapes.js'
import { nameOf, readTarget, unlessPassed, waitUntil } from '../../model/clock.js'
import { Panel } from '../../parts/panel.js'
import { clock, now, nowInSeconds } from '../../state/clock.js'
import { advanceTo, advanceUntilIdle } from './clock-actions.js'

/** Advances the clock to an event or a time, and says beforehand how far. */
export function JumpPanel({
  upcoming,
  open,
  isDisabled,
}: {
  readonly upcoming: UpcomingShape | undefined
  readonly open: Signal<boolean>
  readonly isDisabled: boolean
}) {
  return (
    <Panel label="Jump to an event or a time" text="Jump" open={open} isDisabled={isDisabled}>
      {(close) => (
        <>
          <Events upcoming={upcoming} onJump={close} />
          <TimeForm onJump={close} />
          <p class="panel-note">Everything that is due on the way happens. A jump cannot be undone.</p>
        </>
      )}
    </Panel>
  )
}

function Events({
  upcoming = {},
  onJump,
}: {
  readonly upcoming: UpcomingShape | undefined
  readonly onJump: () => void
}) {
  const next = clock.value?.next
  const later = (event: UpcomingEventShape | undefined) => unlessPassed(event, nowInSeconds.value)
  const none = 'none scheduled'
  const events = [
    // One that is overdue on a paused clock happens as soon as the clock moves.
    { name: 'Next event', shortcut: 'n', event: upcoming.event ?? otherAt(next), none },
    { name: 'Next webhook', shortcut: 'w', event: later(upcoming.webhook), none },
    {
      name: 'Next URL expiry',
      shortcut: 'u',
      event: later(upcoming.url_expiry),
      none: 'no URLs that will expire',
    },
  ]
  return (
    <>
      <h2>Jump to</h2>
      <ul class="panel-list">
        {events.map(({ event, ...line }) => (
          <Line
            key={line.name}
            {...line}
            when={event && waitUntil(event.at, now.value)}
            what={event && nameOf(event)}
            onPress={() => {
              onJump()
              if (event !== undefined) advanceTo(Math.max(Date.parse(event.at), now.peek()))
            }}
          />
        ))}
        <Line
          name="Until idle"
          shortcut="i"
          when={next == null ? undefined : ''}
          what="until no events are scheduled, retries included"
          none={none}
          onPress={() => {
            onJump()
            return advanceUntilIdle()
          }}
        />
      </ul>
    </>
  )
}

function otherAt(at: string | null | undefined): UpcomingEventShape | undefined {
  return at == null ? undefined : { what: 'other', at }
}

function Line({
  name,
  shortcut,
  when,
  what,
  none,
  onPress,
}: {
  readonly name: string
  readonly shortcut: string
  readonly when: string | undefined
  readonly what?: string | undefined
  readonly none: string
  readonly onPress: () => unknown
}) {
  const isDisabled = when === undefined
  return (
    <li>
      <button
        type="button"
        class="panel-line panel-jump"
        aria-disabled={isDisabled}
        aria-keyshortcuts={shortcut}
        onClick={() => !isDisabled && onPress()}
      >
        <span>
          <b>{name}</b>
          <small class="one-line">{when === undefined ? none : what}</small>
        </span>
        <em>{when}</em>
        <kbd>{shortcut}</kbd>
      </button>
    </li>
  )
}

function TimeForm({ onJump }: { readonly onJump: () => void }) {
  const text = useSignal('')
  const target = readTarget(text.value, nowInSeconds.value)
  const jump = (event: SubmitEvent) => {
    event.preventDefault()
    // Read again: a running clock has moved since the last render.
    const { at } = readTarget(text.value, nowInSeconds.value)
    if (at === undefined) return
    onJump()
    advanceTo(at)
  }
  return (
    <form class="panel-form" onSubmit={jump}>
      <label>
        Offset, time or date
        <input
          data-jump
          value={text.value}
          placeholder="+2h, 14:30 or 2026-01-31"
          autocomplete="off"
          aria-describedby="jump-target"
          aria-invalid={target.at === undefined && text.value !== ''}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
      </label>
      <button class="button" type="submit" aria-disabled={target.at === undefined}>
        Go
      </button>
      <p id="jump-target" class={target.at === undefined && text.value !== '' ? 'panel-wrong' : ''}>
        {target.text}
      </p>
    </form>
  )
}
