import { useEffect } from 'preact/hooks'
import { Panel } from '../../parts/panel.js'
import { draft } from '../../state/drafts.js'
import { runAction } from '../../state/notifications.js'
import { linkTo } from '../../state/route.js'
import { applyShipped, scenario, scenarioName, wantScenario } from '../../state/scenario.js'

/** The scenario that new tasks follow. Its menu chooses another one. */
export function ScenarioChip() {
  return (
    <Panel
      icon="scenario"
      label="Scenario of new tasks"
      text={scenarioName.value}
      name="scenario-chip"
      panelName="panel panel-speeds"
    >
      {(close) => <Choices onChosen={close} />}
    </Panel>
  )
}

function Choices({ onChosen }: { readonly onChosen: () => void }) {
  useEffect(wantScenario, [])
  const { name, shipped = [] } = scenario.value ?? {}
  const choose = (chosen: string) => {
    onChosen()
    return runAction(() => applyShipped(chosen))
  }
  return (
    <>
      <h2>New tasks follow</h2>
      <ul class="panel-list">
        {shipped.map((each) => (
          <li key={each}>
            <button
              type="button"
              class="panel-line"
              aria-pressed={each === name}
              onClick={() => choose(each)}
            >
              <b>{each}</b>
            </button>
          </li>
        ))}
      </ul>
      <p class="panel-note">
        <a href={linkTo({ view: 'scenario' })} onClick={onChosen}>
          {draft.value === undefined ? 'Edit and preview the scenario' : 'Show your draft'}
        </a>
      </p>
    </>
  )
}
