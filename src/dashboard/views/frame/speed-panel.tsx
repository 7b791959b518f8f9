import { Panel } from '../../parts/panel.js'
import { clock, lastSpeed } from '../../state/clock.js'
import { runAtSpeed } from './clock-actions.js'

const SPEEDS = [
  [1, 'real time'],
  [10, '10 s per second'],
  [60, 'a minute per second'],
  [600, '10 min per second'],
] as const

/** Shows whether the clock runs and how fast, and chooses its speed. */
export function SpeedPanel() {
  const isRunning = clock.value?.mode === 'real'
  return (
    <Panel
      icon={isRunning ? 'play' : 'pause'}
      label="Speed of the clock"
      text={modeText(clock.value?.mode, clock.value?.speed)}
      panelName="panel-speeds"
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
