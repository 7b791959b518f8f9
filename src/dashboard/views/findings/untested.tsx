import { neverAppliedIn, notApplicableIn, notObservedIn } from '../../model/findings/untested.js'
import { plural } from '../../model/format.js'
import { verdict } from '../../state/session.js'

/** What the client has had no occasion for: rules and faults of the scenario, and rules of findings. */
export function Untested() {
  const { checked = [], applied = [] } = verdict.value ?? {}
  return (
    <>
      <NeverApplied applied={neverAppliedIn(applied)} />
      <NotObserved groups={notObservedIn(checked)} />
      <ul class="unchecked">
        {notApplicableIn(checked).map(({ text, ids }) => (
          <li key={text}>
            {text} Not checked: {ids.join(', ')}.
          </li>
        ))}
      </ul>
    </>
  )
}

function NeverApplied({ applied }: { readonly applied: ReturnType<typeof neverAppliedIn> }) {
  if (applied.length === 0) return null
  return (
    <details class="card untested">
      <summary>{plural(applied.length, 'rule')} of the scenario never applied</summary>
      <p class="hint">
        They have tested nothing yet. Check their conditions, and whether the client sends such requests.
      </p>
      <dl>
        {applied.map(({ list, name, definition }) => (
          <div key={`${list} ${name}`}>
            <dt>{name}</dt>
            <dd>
              <code>{definition}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function NotObserved({ groups }: { readonly groups: ReturnType<typeof notObservedIn> }) {
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0)
  if (count === 0) return null
  return (
    <details class="card untested">
      <summary>{plural(count, 'mistake')} could not be observed</summary>
      <p class="hint">The client has had no occasion for these mistakes. What gives it one:</p>
      <dl>
        {groups.map(({ text, ids }) => (
          <div key={text}>
            <dt>{ids.join(', ')}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
