import { nameOf, waitUntil } from '../../model/clock.js'
import { clockTime, day, zoneName } from '../../model/format.js'
import { RECORDING_REASON } from '../../model/recording.js'
import { Button } from '../../parts/button.js'
import { DialogButton } from '../../parts/dialog.js'
import { Icon } from '../../parts/icon.js'
import { Menu } from '../../parts/menu.js'
import { clock, now, nowInSeconds } from '../../state/clock.js'
import { useUpcoming } from '../../state/fetched.js'
import { connection, recording } from '../../state/session.js'
import { toggleZone, zone } from '../../state/zone.js'
import { advance, advanceToNextEvent, announcement, runAtSpeed, toggleClock } from './clock-actions.js'
import { JumpDialog } from './jump-dialog.js'
import { ScenarioChip } from './scenario-chip.js'

const STEPS = [
  ['+10 s', '10s', '.'],
  ['+1 min', '1m', 'm'],
  ['+1 h', '1h', 'h'],
] as const

/** The simulated time and the buttons that change it, or the service that is recorded. */
export function ClockBar() {
  return recording.value === undefined ? <SimulatedClock /> : <RecordingBar {...recording.value} />
}

function RecordingBar({ upstream, file }: { readonly upstream: string; readonly file: string }) {
  return (
    <section class="clock line" aria-label="Recording" title={RECORDING_REASON}>
      <div class="clock-now line">
        <Now />
        <span class="clock-mode clock-recording">
          <Icon name="record" />
          Recording
        </span>
      </div>
      <p class="recorded">
        <b>{upstream}</b> <span>into</span> <code>{file}</code>
      </p>
    </section>
  )
}

function SimulatedClock() {
  const isLost = connection.value === 'lost'
  return (
    <section class={`clock line${isLost ? ' clock-stopped' : ''}`} aria-label="Clock">
      <div class="clock-now line">
        <Now />
        {isLost ? (
          <span class="clock-mode clock-lost">
            <Icon name="warning" />
            Last known time
          </span>
        ) : (
          <>
            <SpeedMenu />
            <ScenarioChip />
            <Next />
          </>
        )}
      </div>
      <Controls isLost={isLost} />
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </section>
  )
}

function Controls({ isLost }: { readonly isLost: boolean }) {
  const { mode, next } = clock.value ?? {}
  const isRunning = mode === 'real'
  return (
    <fieldset class="clock-controls" aria-label="Control the clock">
      <Button
        icon={isRunning ? 'pause' : 'play'}
        shortcut="p"
        label={isRunning ? 'Pause the clock' : 'Resume the clock'}
        isDisabled={isLost}
        onPress={toggleClock}
      >
        {isRunning ? 'Pause' : 'Resume'}
      </Button>
      {STEPS.map(([text, by, shortcut]) => (
        <Button
          key={by}
          label={`Advance by ${text.slice(1)}`}
          shortcut={shortcut}
          isDisabled={isLost}
          onPress={() => advance(by)}
        >
          {text}
        </Button>
      ))}
      <Button
        icon="next"
        shortcut="n"
        label="Advance to the next event"
        isDisabled={isLost || next == null}
        onPress={advanceToNextEvent}
      >
        Next event
      </Button>
      <DialogButton text="Jump" label="Jump to an event or a time" isDisabled={isLost}>
        {(close) => <JumpDialog onClose={close} />}
      </DialogButton>
    </fieldset>
  )
}

function Now() {
  return (
    <time class="clock-time" dateTime={new Date(nowInSeconds.value).toISOString()}>
      <b>{clockTime(now.value)}</b>
      <small>
        {day(nowInSeconds.value)}{' '}
        <button
          type="button"
          class="link"
          title={
            zone.value === 'UTC' ? 'Show all times in the zone of this browser' : 'Show all times in UTC'
          }
          onClick={toggleZone}
        >
          {zoneName()}
        </button>
      </small>
    </time>
  )
}

/** When the next event is due, and what it is as soon as the server has said so. */
function Next() {
  const event = useUpcoming()?.event
  const at = clock.value?.next
  if (at == null)
    return (
      <span class="clock-next one-line">
        no events<span class="clock-event"> scheduled</span>
      </span>
    )
  return (
    <span class="clock-next one-line" title={event?.task_id}>
      <span class="visually-hidden">Next event </span>
      <b>{waitUntil(at, now.value)}</b>
      {event?.at === at && <span class="clock-event">: {nameOf(event)}</span>}
    </span>
  )
}

/** Simulated seconds per real second, with what they mean. */
const SPEEDS = [
  [1, 'real time'],
  [10, '10 s per second'],
  [60, 'a minute per second'],
  [600, '10 min per second'],
] as const

/** Shows whether the clock runs and how fast, and chooses its speed. */
function SpeedMenu() {
  const { mode, speed } = clock.value ?? {}
  const isRunning = mode === 'real'
  const text = modeText(mode, speed)
  return (
    <Menu
      icon={isRunning ? 'play' : 'pause'}
      text={text}
      label={`Speed of the clock: ${text}`}
      name={`clock-mode${isRunning ? '' : ' clock-paused'}`}
      items={SPEEDS.map(([each, note]) => ({
        label: `×${each}`,
        note,
        isChosen: isRunning && speed === each,
        onChoose: () => runAtSpeed(each),
      }))}
    />
  )
}

function modeText(mode: string | undefined, speed: number | undefined): string {
  if (mode === undefined) return '…'
  if (mode === 'manual') return 'Paused'
  return speed === 1 ? 'Running' : `Running ×${speed}`
}
