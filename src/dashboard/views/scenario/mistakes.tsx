import type { Mistake } from '../../model/editor/mistakes.js'
import { plural } from '../../model/format.js'
import { Icon } from '../../parts/icon.js'

/** The mistakes of a scenario, with links to their lines. */
export function Mistakes({
  mistakes,
  onShow,
}: {
  readonly mistakes: readonly Mistake[]
  readonly onShow: (mistake: Mistake) => void
}) {
  return (
    <div id="mistakes" class="mistakes" role="alert">
      <h3 class="state state-failed">
        <Icon name="failed" /> {plural(mistakes.length, 'mistake')}. The active scenario is unchanged.
      </h3>
      <ul>
        {mistakes.map((mistake, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => onShow(mistake)}>
              {mistake.line === undefined ? 'unknown position' : `${mistake.line}:${mistake.column ?? 1}`}
            </button>
            <span>
              {mistake.path !== '' && <code>{mistake.path}</code>} {mistake.message}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
