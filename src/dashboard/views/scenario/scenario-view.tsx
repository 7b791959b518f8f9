import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { CopyButton } from '../../parts/copy-button.js'
import { previous } from '../../state/drafts.js'
import { runAction } from '../../state/notifications.js'
import { simulator } from '../../state/session.js'
import { Editor } from './editor.js'
import { Preview } from './preview.js'
import { ResetButton } from './reset-button.js'
import { ShippedChoice } from './shipped-choice.js'
import { StateMenu } from './state-menu.js'
import { useScenario } from './use-scenario.js'

/** Shows, changes and previews the active scenario. */
export function ScenarioView() {
  const { scenario, text, isChanged, mistakes, edit, apply, undo, discard, load } = useScenario()
  return (
    <div class="columns columns-scenario">
      <Card
        title={scenario === undefined ? 'Scenario' : `Scenario: ${scenario.name}`}
        aside={<ShippedChoice names={scenario?.shipped ?? []} hasDraft={isChanged} onLoad={load} />}
      >
        {scenario?.description && <p class="muted">{scenario.description}</p>}
        <Seed />
        {scenario?.text === null && !isChanged && (
          <p class="hint">
            This scenario was created in code or patched, so it has no file. Load a shipped scenario, or write
            one here.
          </p>
        )}
        <Editor
          text={text}
          mistakes={mistakes}
          shipped={scenario?.shipped ?? []}
          onChange={(changed) => edit({ text: changed })}
          onApply={() => runAction(apply)}
        />
        {isChanged && <p class="muted">This is a draft. New tasks follow it once you apply it.</p>}
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
          <Button isDisabled={!isChanged} onPress={discard}>
            Discard changes
          </Button>
          {previous.value !== undefined && (
            <Button icon="back" label="Restore the scenario from before the last apply" onPress={undo}>
              Undo apply
            </Button>
          )}
          <span class="spring" />
          <StateMenu />
          <ResetButton />
        </div>
      </Card>
      <Preview text={isChanged ? text : undefined} name={scenario?.name} />
    </div>
  )
}

/** The option that repeats the random values. A running simulator keeps its seed. */
function Seed() {
  const option = `--seed ${simulator.value?.seed ?? ''}`
  return (
    <p class="muted scenario-about">
      To repeat the random values, start the server with <code>{option}</code>{' '}
      <CopyButton label="Copy the option" text={option} />
    </p>
  )
}
