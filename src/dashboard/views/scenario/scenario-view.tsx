import { useSignal } from '@preact/signals'
import { ControlError } from '../../../client/control.js'
import { type Mistake, mistakesIn } from '../../model/mistakes.js'
import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { Choice } from '../../parts/choice.js'
import { CopyButton } from '../../parts/copy-button.js'
import { connect } from '../../state/live.js'
import { notify, runAction } from '../../state/notifications.js'
import { route } from '../../state/route.js'
import { control, scenarioVersion, simulator } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'
import { Editor } from './editor.js'
import { Preview } from './preview.js'

/** Shows, changes and previews the active scenario. */
export function ScenarioView() {
  const draft = useSignal<string | undefined>(undefined)
  const mistakes = useSignal<readonly Mistake[]>([])
  const { value: scenario, reload } = useFetched(
    `scenario ${route.value.sandbox}`,
    scenarioVersion.value,
    () => control.value.scenario.get(),
  )
  const text = draft.value ?? scenario?.text ?? ''
  const isChanged = draft.value !== undefined && draft.value !== scenario?.text

  const replace = async (choice: { text: string } | { name: string }) => {
    try {
      const { name } = await control.value.scenario.replace(choice)
      draft.value = undefined
      mistakes.value = []
      notify('good', `Scenario ${name} applied to new tasks.`)
    } catch (error) {
      const found = error instanceof ControlError ? mistakesIn(error.details) : []
      if (found.length === 0) throw error
      mistakes.value = found
    }
    reload()
  }
  const apply = () => runAction(() => replace({ text }))
  const reset = async () => {
    await runAction(() => control.value.reset(), 'Simulator reset.')
    connect()
    draft.value = undefined
    mistakes.value = []
  }
  return (
    <div class="columns columns-scenario">
      <Card
        title={scenario === undefined ? 'Scenario' : `Scenario: ${scenario.name}`}
        aside={
          <Choice
            label="Load a shipped scenario"
            all="Load a shipped scenario…"
            value=""
            values={scenario?.shipped ?? []}
            onChoose={(name) => name !== '' && runAction(() => replace({ name }))}
          />
        }
      >
        <p class="muted scenario-about">
          {scenario?.description}
          {scenario?.description ? ' · ' : ''}seed <code>{simulator.value?.seed}</code>{' '}
          <CopyButton label="Copy seed" text={simulator.value?.seed ?? ''} />
        </p>
        {scenario?.text === null && draft.value === undefined ? (
          <p class="hint">
            This scenario was created in code or patched, so it has no file. Load a shipped scenario, or write
            one here.
          </p>
        ) : null}
        <Editor
          text={text}
          mistakes={mistakes.value}
          onChange={(changed) => {
            draft.value = changed === scenario?.text ? undefined : changed
          }}
          onApply={apply}
        />
        <div class="actions">
          <Button
            variant="accent"
            icon="done"
            shortcut="Ctrl Enter"
            label="Apply the scenario"
            isDisabled={!isChanged}
            onPress={apply}
          >
            Apply
          </Button>
          <Button
            isDisabled={!isChanged}
            onPress={() => {
              draft.value = undefined
              mistakes.value = []
            }}
          >
            Discard changes
          </Button>
          <span class="spring" />
          <Button
            icon="again"
            variant="danger"
            label="Reset the simulator: delete all tasks, restart the clock and the seed"
            onPress={reset}
          >
            Reset simulator
          </Button>
        </div>
      </Card>
      <Preview text={isChanged ? text : undefined} name={scenario?.name} />
    </div>
  )
}
