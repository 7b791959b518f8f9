import { clockTime, day, duration } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { clock, now, nowInSeconds } from '../../state/clock.js'
import { advance, advanceToNextEvent, advanceUntilIdle, toggleClock } from './clock-actions.js'

const STEPS = [
  ['+10 s', '10s', '.'],
  ['+1 min', '1m', 'm'],
  ['+1 h', '1h', 'h'],
  ['+30 d', '30d', undefined],
] as const

/** The simulated time and the buttons that change it. */
export function ClockBar() {
  const { mode, speed, next } = clock.value ?? {}
  const isRunning = mode === 'real'
  return (
    <section class="clock" aria-label="Clock">
      <div class="clock-now">
        <Now />
        <span class={`clock-mode${isRunning ? '' : ' clock-paused'}`}>
          <Icon name={isRunning ? 'play' : 'pause'} />
          {isRunning ? (speed === 1 ? 'Running' : `Running ×${speed}`) : mode === undefined ? '…' : 'Paused'}
        </span>
        <Next at={next ?? null} />
      </div>
      <fieldset class="clock-controls" aria-label="Control the clock">
        <Button
          icon={isRunning ? 'pause' : 'play'}
          shortcut="p"
          label={isRunning ? 'Pause the clock' : 'Resume the clock'}
          onPress={toggleClock}
        >
          {isRunning ? 'Pause' : 'Resume'}
        </Button>
        {STEPS.map(([text, by, shortcut]) => (
          <Button
            key={by}
            label={`Advance by ${text.slice(1)}`}
            {...(shortcut && { shortcut })}
            onPress={() => advance(by)}
          >
            {text}
          </Button>
        ))}
        <Button
          icon="next"
          shortcut="n"
          label="Advance to the next event"
          isDisabled={next == null}
          onPress={advanceToNextEvent}
        >
          Next event
        </Button>
        <Button
          icon="idle"
          shortcut="i"
          label="Advance until no events are scheduled"
          isDisabled={next == null}
          onPress={advanceUntilIdle}
        >
          Until idle
        </Button>
      </fieldset>
    </section>
  )
}

function Now() {
  return (
    <time class="clock-time" dateTime={new Date(nowInSeconds.value).toISOString()}>
      <b>{clockTime(now.value)}</b>
      <small>{day(nowInSeconds.value)} UTC</small>
    </time>
  )
}

function Next({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="clock-next">no events scheduled</span>
  const wait = Date.parse(at) - now.value
  return <span class="clock-next">next event {wait <= 0 ? 'now' : `in ${duration(wait)}`}</span>
}
