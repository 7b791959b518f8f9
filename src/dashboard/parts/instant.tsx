import { dayTime } from '../model/format.js'
import { today } from '../state/clock.js'

/** A simulated time, with its date unless that is the current one. */
export function Instant({
  at,
  isExact = false,
  class: name,
}: {
  /** In ISO 8601 format. */
  readonly at: string
  /** Whether to show milliseconds. */
  readonly isExact?: boolean
  readonly class?: string
}) {
  return (
    <time class={name} dateTime={at}>
      {dayTime(Date.parse(at), today.value, isExact)}
    </time>
  )
}
