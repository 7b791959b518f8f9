import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Card } from '../../parts/blocks.js'
import { Button, MainButton } from '../../parts/button.js'
import { CopyButton } from '../../parts/copy.js'
import { Confirmation, DialogButton } from '../../parts/dialog.js'
import { setTo } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { Menu } from '../../parts/menu.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { keepWork, previous } from '../../state/drafts.js'
import { connect } from '../../state/live.js'
import { runAction } from '../../state/notifications.js'
import { sandbox } from '../../state/route.js'
import {
  applyDraft,
  discardDraft,
  isChanged,
  keepDraft,
  replacedBase,
  scenario,
  scenarioName,
  undoScenario,
  wantScenario,
} from '../../state/scenario.js'
import { control, simulator } from '../../state/session.js'
import { Editor } from './editor.js'
import { Preview } from './preview.js'

/** Shows, changes and previews the active scenario. */
export function ScenarioView() {
  useEffect(wantScenario, [])
  const { description, text: own } = scenario.value ?? {}
  const { value: hasDraft } = isChanged
  return (
    <div class="columns">
      <Card title={hasDraft ? 'Draft of a scenario' : `Scenario: ${scenarioName.value}`}>
        <ReplacedBase />
        {!hasDraft && description && <p class="muted">{description}</p>}
        {!hasDraft && <Seed />}
        {own === null && !hasDraft && (
          <p class="hint">
            This scenario was created in code or patched, so it has no file. Choose a shipped one beside the
            clock, or write one here.
          </p>
        )}
        {/* What is written before the scenario is loaded would mix with its text. */}
        {(scenario.value !== undefined || hasDraft) && <Editor />}
        {hasDraft && (
          <p class="muted">
            New tasks still follow {scenarioName.value}. They follow this draft once you apply it.
          </p>
        )}
        <div class="actions">
          <MainButton icon="done" label="Apply the scenario" isDisabled={!hasDraft} onPress={applyDraft}>
            Apply
          </MainButton>
          <Button isDisabled={!hasDraft} onPress={discardDraft}>
            Discard changes
          </Button>
          {previous.value !== undefined && (
            <Button
              icon="back"
              label="Restore the scenario from before the last change"
              onPress={undoScenario}
            >
              Undo apply
            </Button>
          )}
          <span class="spring" />
          <StateMenu />
          <ResetButton />
        </div>
      </Card>
      <Preview />
    </div>
  )
}

/** Says that another scenario has become active under the draft; nothing if none has. */
function ReplacedBase() {
  const before = replacedBase.value
  if (before === undefined) return null
  return (
    <div class="box box-accent line" role="alert">
      <Icon name="warning" />
      <span>
        Another scenario has become active since you began this draft: {scenarioName.value}, no longer{' '}
        {before}. Applying the draft replaces it.
      </span>
      <Button onPress={keepDraft}>Keep the draft</Button>
      <Button onPress={discardDraft}>Show {scenarioName.value}</Button>
    </div>
  )
}

/** The option that repeats the random values. A running simulator keeps its seed. */
function Seed() {
  const option = `--seed ${simulator.value?.seed ?? ''}`
  return (
    <p class="muted with-copy">
      To repeat the random values, start the server with <code>{option}</code>{' '}
      <CopyButton label="Copy the option" text={option} />
    </p>
  )
}

/** Replaces the state of the simulator. A draft of a scenario stays, but nothing can be undone. */
async function replaceState(action: () => Promise<unknown>, done: string): Promise<void> {
  await runAction(action, done)
  keepWork({ previous: undefined })
  connect()
}

/** Resets the simulator after a confirmation. */
function ResetButton() {
  return (
    <DialogButton icon="again" variant="danger" text="Reset simulator…">
      {(close) => (
        <Confirmation
          title="Reset the simulator?"
          text="A reset deletes all tasks, webhooks and requests, and restores the initial scenario, time and random values. Your draft stays."
          action="Reset simulator"
          onConfirm={() => replaceState(() => control.value.reset(), 'Simulator reset.')}
          onClose={close}
        />
      )}
    </DialogButton>
  )
}

/** The menu that saves the whole state as a file and, after a confirmation, loads one. */
function StateMenu() {
  const input = useRef<HTMLInputElement>(null)
  const file = useSignal<File | undefined>(undefined)
  const url = withToken(`${controlUrl(sandbox.value)}/state.jsonl`)
  const { value: chosen } = file
  return (
    <>
      <Menu
        icon="save"
        text="State"
        items={[
          { label: 'Save state', note: 'with secrets', href: url, download: 'tasksim-state.jsonl' },
          { label: 'Load state…', onChoose: () => input.current?.click() },
        ]}
      />
      <input
        ref={input}
        type="file"
        accept=".jsonl"
        aria-label="File with a state"
        hidden
        onChange={({ currentTarget }) => {
          file.value = currentTarget.files?.[0]
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      {chosen !== undefined && (
        <Confirmation
          title="Replace the state?"
          text={`${chosen.name} replaces all tasks, webhooks, requests and sandboxes, the scenario and the time. Your draft stays.`}
          action="Load state"
          onConfirm={() =>
            replaceState(async () => control.value.importState(await chosen.text()), `Loaded ${chosen.name}.`)
          }
          onClose={setTo(file, undefined)}
        />
      )}
    </>
  )
}
