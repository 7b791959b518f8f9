import { Menu } from '../../parts/menu.js'
import { draft } from '../../state/drafts.js'
import { runAction } from '../../state/notifications.js'
import { linkTo } from '../../state/route.js'
import { applyShipped, scenario, scenarioName, wantScenario } from '../../state/scenario.js'

/** The scenario that new tasks follow. Its menu chooses another one. */
export function ScenarioChip() {
  const { name, shipped = [] } = scenario.value ?? {}
  const choices = shipped.map((each) => ({
    label: each,
    isChosen: each === name,
    onChoose: () => runAction(() => applyShipped(each)),
  }))
  const edit = {
    label: draft.value === undefined ? 'Edit and preview the scenario' : 'Show your draft',
    href: linkTo({ view: 'scenario' }),
  }
  return (
    <Menu
      icon="scenario"
      label={`Scenario of new tasks: ${scenarioName.value}`}
      name="scenario-chip"
      items={[...choices, edit]}
      text={scenarioName.value}
      onOpen={wantScenario}
    />
  )
}
