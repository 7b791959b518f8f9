import { useSignal } from '@preact/signals'
import type { UpcomingEventShape } from '../../../control/shapes.js'
import { nameOf, readTarget, unlessPassed, waitUntil } from '../../model/clock.js'
import { Dialog } from '../../parts/dialog.js'
import { TextField } from '../../parts/field.js'
import { bound } from '../../parts/hooks.js'
import { clock, now, nowInSeconds } from '../../state/clock.js'
import { useUpcoming } from '../../state/fetched.js'
import { deliveryVersion } from '../../state/session.js'
import { taskList } from '../../state/tasks.js'
import { advanceTo, advanceUntilIdle } from './clock-actions.js'

/** Advances the clock to an event or a time, and says beforehand how far. */
export function JumpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Jump to an event or a time" onClose={onClose}>
      <TimeForm onJump={onClose} />
      <Events onJump={onClose} />
      <p class="small muted">Everything that is due on the way happens. A jump cannot be undone.</p>
    </Dialog>
  )
}

/** A line of the dialog. It is disabled if there is nothing to jump to. */
interface Jump {
  readonly name: string
  readonly when?: string
  readonly what: string
  readonly jump: (() => unknown) | undefined
}

function Events({ onJump }: { readonly onJump: () => void }) {
  const upcoming = useUpcoming(`${taskList.version.value} ${deliveryVersion.value}`) ?? {}
  const next = clock.value?.next
  const other = next == null ? undefined : ({ what: 'other', at: next } as const)
  const later = (event: UpcomingEventShape | undefined) => unlessPassed(event, nowInSeconds.value)
  const events: readonly Jump[] = [
    // One that is overdue on a paused clock happens as soon as the clock moves.
    { name: 'Next event', ...jumpTo(upcoming.event ?? other) },
    { name: 'Next webhook', ...jumpTo(later(upcoming.webhook)) },
    { name: 'Next URL expiry', ...jumpTo(later(upcoming.url_expiry), 'no URLs that will expire') },
    {
      name: 'Until idle',
      what: next == null ? 'none scheduled' : 'until no events are scheduled, retries included',
      jump: next == null ? undefined : advanceUntilIdle,
    },
  ]
  return (
    <ul>
      {events.map(({ name, when, what, jump }) => (
        <li key={name}>
          <button
            type="button"
            class="jump-line"
            aria-disabled={jump === undefined}
            onClick={() => {
              if (jump === undefined) return
              onJump()
              jump()
            }}
          >
            <span>
              <b>{name}</b>
              <small class="one-line">{what}</small>
            </span>
            <em>{when}</em>
          </button>
        </li>
      ))}
    </ul>
  )
}

function jumpTo(event: UpcomingEventShape | undefined, none = 'none scheduled'): Omit<Jump, 'name'> {
  if (event === undefined) return { what: none, jump: undefined }
  return {
    when: waitUntil(event.at, now.value),
    what: nameOf(event),
    jump: () => advanceTo(Math.max(Date.parse(event.at), now.peek())),
  }
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
    <form class="jump-form" onSubmit={jump}>
      <TextField
        label="Offset, time or date"
        placeholder="+2h, 14:30 or 2026-01-31"
        hint={target.text}
        error={target.at === undefined && text.value !== '' ? target.text : undefined}
        {...bound(text)}
      />
      <button class="button" type="submit" aria-disabled={target.at === undefined}>
        Go
      </button>
    </form>
  )
}
