import { clockTime } from '../../model/format.js'
import { RANGES, type RangeName } from '../../model/overview/time-range.js'
import { Button } from '../../parts/button.js'
import { chooseRange, rangeName, stoppedAt, toggleFollowing } from '../../state/overview.js'

/** Chooses the time range of the chart, and whether it follows the clock. */
export function RangeChoice() {
  const stopped = stoppedAt.value
  return (
    <div class="range">
      {stopped !== undefined && <span class="muted">Stopped at {clockTime(stopped)}</span>}
      <fieldset class="segments" aria-label="Time range">
        {(Object.keys(RANGES) as RangeName[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === rangeName.value}
            title={name === 'All' ? 'From the first task to the last' : `The last ${name}`}
            onClick={() => chooseRange(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <Button
        icon={stopped === undefined ? 'pause' : 'play'}
        label={stopped === undefined ? 'Stop following the clock' : 'Follow the clock'}
        onPress={toggleFollowing}
      />
    </div>
  )
}
