import { useSignal } from '@preact/signals'
import { ControlError } from '../../../client/call.js'
import type { ScenarioShape } from '../../../control/shapes.js'
import { type Mistake, mistakesIn } from '../../model/editor/yaml-context.js'
import { draft, keepWork, previous, type ScenarioText } from '../../state/drafts.js'
import { useFetched } from '../../state/fetched.js'
import { notify } from '../../state/notifications.js'
import { route } from '../../state/route.js'
import { control, scenarioVersion } from '../../state/session.js'

/** The active scenario, the draft in the editor, and the actions on both. */
export function useScenario() {
  const mistakes = useSignal<readonly Mistake[]>([])
  const { value: scenario, reload } = useFetched(
    `scenario ${route.value.sandbox}`,
    scenarioVersion.value,
    () => control.value.scenario.get(),
  )
  const text = draft.value?.text ?? scenario?.text ?? ''
  const isChanged = draft.value !== undefined && draft.value.text !== scenario?.text

  const edit = (changed: ScenarioText | undefined) => {
    keepWork({ draft: changed?.text === scenario?.text ? undefined : changed })
  }
  const replace = async (next: ScenarioText): Promise<boolean> => {
    const choice = next.shipped === undefined ? { text: next.text } : { name: next.shipped }
    try {
      const { name } = await control.value.scenario.replace(choice)
      mistakes.value = []
      notify('good', `Scenario ${name} applied to new tasks.`)
      return true
    } catch (error) {
      const found = error instanceof ControlError ? mistakesIn(error.details) : []
      if (found.length === 0) throw error
      mistakes.value = found
      return false
    } finally {
      reload()
    }
  }
  return {
    scenario,
    text,
    isChanged,
    mistakes: mistakes.value,
    edit,
    /** Makes the draft the active scenario. */
    async apply() {
      const before = textOf(scenario)
      if (await replace(draft.value ?? { text })) keepWork({ draft: undefined, previous: before })
    },
    /** Restores the scenario from before the last apply. The present one becomes the draft. */
    async undo() {
      const [before, present] = [previous.value, textOf(scenario)]
      if (before !== undefined && (await replace(before)))
        keepWork({ draft: draft.value ?? present, previous: undefined })
    },
    discard() {
      edit(undefined)
      mistakes.value = []
    },
    /** Loads a shipped scenario as a draft. */
    async load(shipped: string) {
      const { text } = await control.value.scenario.shipped(shipped)
      edit({ text, shipped })
      mistakes.value = []
    },
  }
}

/** The text of a scenario; undefined if it has none. */
function textOf(scenario: ScenarioShape | undefined): ScenarioText | undefined {
  const { name, text, shipped = [] } = scenario ?? {}
  if (text == null) return undefined
  return { text, shipped: shipped.find((each) => each === name) }
}
