import { useSignal } from '@preact/signals'
import { ControlError } from '../../../client/control.js'
import { type Mistake, mistakesIn } from '../../model/mistakes.js'
import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { Choice } from '../../parts/choice.js'
import { CopyButton } from '../../parts/copy-button.js'
import { start } from '../../state/live.js'
import { attempt, tell } from '../../state/notices.js'
import { place } from '../../state/place.js'
import { control, scenarioVersion, simulator } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'
import { Editor } from './editor.js'
import { Preview } from './preview.js'

/** How the simulator behaves: to be read, changed, tried out and put in force. */
export function ScenarioView() {
  const draft = useSignal<string | undefined>(undefined)
  const mistakes = useSignal<readonly Mistake[]>([])
  const { value: scenario, reload } = useFetched(
    `scenario ${place.value.sandbox}`,
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
      tell('good', `The scenario ${name} is in force for all further tasks.`)
    } catch (error) {
      const found = error instanceof ControlError ? mistakesIn(error.details) : []
      if (found.length === 0) throw error
      mistakes.value = found
    }
    reload()
  }
  const apply = () => attempt(() => replace({ text }))
  const reset = async () => {
    await attempt(() => control.value.reset(), 'All is as it was after the start.')
    start()
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
            all="Load a shipped one…"
            value=""
            values={scenario?.shipped ?? []}
            onChoose={(name) => name !== '' && attempt(() => replace({ name }))}
          />
        }
      >
        <p class="muted scenario-about">
          {scenario?.description}
          {scenario?.description ? ' · ' : ''}seed <code>{simulator.value?.seed}</code>{' '}
          <CopyButton label="Copy the seed" text={simulator.value?.seed ?? ''} />
        </p>
        {scenario?.text === null && draft.value === undefined ? (
          <p class="hint">
            It was made in code or patched, so there is no file to show. Load a shipped one, or write here.
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
            look="accent"
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
            Undo changes
          </Button>
          <span class="spring" />
          <Button
            icon="again"
            look="danger"
            label="Reset the simulator: no tasks, the clock and all chance from the beginning"
            onPress={reset}
          >
            Reset everything
          </Button>
        </div>
      </Card>
      <Preview text={isChanged ? text : undefined} name={scenario?.name} />
    </div>
  )
}
