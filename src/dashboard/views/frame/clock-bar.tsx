import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { UpcomingShape } from '../../../control/shapes.js'
import { nameOf, waitUntil } from '../../model/clock.js'
import { clockTime, day, zoneName } from '../../model/format.js'
import { RECORDING_REASON } from '../../model/recording.js'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { clock, lastSpeed, now, nowInSeconds } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { route } from '../../state/route.js'
import { connection, control, deliveryVersion, recording, scenarioVersion } from '../../state/session.js'
import { taskList } from '../../state/tasks.js'
import { toggleZone, zone } from '../../state/zone.js'
import { advance, advanceToNextEvent, announcement, runAtSpeed, toggleClock } from './clock-actions.js'
import { JumpPanel } from './jump-panel.js'
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
  const isJumpOpen = useSignal(false)
  const upcoming = useUpcoming(isJumpOpen.value)
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
            <SpeedPanel />
            <ScenarioChip />
            <Next upcoming={upcoming} />
          </>
        )}
      </div>
      <Controls isLost={isLost}>
        <JumpPanel upcoming={upcoming} open={isJumpOpen} isDisabled={isLost} />
      </Controls>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </section>
  )
}

/** What happens next. It is read again whenever the next event changes and, while someone looks at it, any other. */
function useUpcoming(isOpen: boolean): UpcomingShape | undefined {
  const others = isOpen ? `${taskList.version.value} ${deliveryVersion.value}` : ''
  const version = `${clock.value?.next} ${scenarioVersion.value} ${others}`
  return useFetched(`upcoming ${route.value.sandbox}`, version, () => control.value.clock.upcoming()).value
}

function Controls({ isLost, children }: { readonly isLost: boolean; readonly children: ComponentChildren }) {
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
      {children}
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
function Next({ upcoming }: { readonly upcoming: UpcomingShape | undefined }) {
  const at = clock.value?.next
  if (at == null)
    return (
      <span class="clock-next one-line">
        no events<span class="clock-event"> scheduled</span>
      </span>
    )
  const event = upcoming?.event
  return (
    <span class="clock-next one-line" title={event?.task_id}>
      <span class="visually-hidden">Next event </span>
      <b>{waitUntil(at, now.value)}</b>
      {event?.at === at && <span class="clock-event">: {nameOf(event)}</span>}
    </span>
  )
}

const SPEEDS = [
  [1, 'real time'],
  [10, '10 s per second'],
  [60, 'a minute per second'],
  [600, '10 min per second'],
] as const

/** Shows whether the clock runs and how fast, and chooses its speed. */
function SpeedPanel() {
  const isRunning = clock.value?.mode === 'real'
  return (
    <Panel
      icon={isRunning ? 'play' : 'pause'}
      label="Speed of the clock"
      text={modeText(clock.value?.mode, clock.value?.speed)}
      panelName="panel panel-speeds"
      name={`clock-mode${isRunning ? '' : ' clock-paused'}`}
    >
      {(close) => <Speeds onChosen={close} />}
    </Panel>
  )
}

function modeText(mode: string | undefined, speed: number | undefined): string {
  if (mode === undefined) return '…'
  if (mode === 'manual') return 'Paused'
  return speed === 1 ? 'Running' : `Running ×${speed}`
}

function Speeds({ onChosen }: { readonly onChosen: () => void }) {
  const isRunning = clock.value?.mode === 'real'
  const choose = (speed: number) => {
    onChosen()
    return runAtSpeed(speed)
  }
  const chooseOwn = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    choose(Number(form.get('speed')))
  }
  return (
    <>
      <h2>Run at</h2>
      <ul class="panel-list">
        {SPEEDS.map(([speed, meaning]) => (
          <li key={speed}>
            <button
              type="button"
              class="panel-line"
              aria-pressed={isRunning && clock.value?.speed === speed}
              onClick={() => choose(speed)}
            >
              <b>×{speed}</b>
              <span>{meaning}</span>
            </button>
          </li>
        ))}
      </ul>
      <form class="panel-form" onSubmit={chooseOwn}>
        <label>
          Custom speed
          <input
            name="speed"
            type="number"
            inputMode="decimal"
            required
            min="0.001"
            max="1000000"
            step="any"
            defaultValue={String(lastSpeed.value)}
          />
        </label>
        <button class="button" type="submit">
          Run
        </button>
      </form>
    </>
  )
}
