import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Card } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Choice } from '../../parts/choices.js'
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
  editedText,
  editScenario,
  isChanged,
  keepDraft,
  loadShipped,
  mistakes,
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
  const { name, description, shipped = [], text: own } = scenario.value ?? {}
  const [text, hasDraft] = [editedText.value, isChanged.value]
  return (
    <div class="columns">
      <Card
        title={hasDraft ? 'Draft of a scenario' : `Scenario: ${scenarioName.value}`}
        aside={<ShippedChoice names={shipped} hasDraft={hasDraft} />}
      >
        <ReplacedBase />
        {!hasDraft && description && <p class="muted">{description}</p>}
        {!hasDraft && <Seed />}
        {own === null && !hasDraft && (
          <p class="hint">
            This scenario was created in code or patched, so it has no file. Load a shipped scenario, or write
            one here.
          </p>
        )}
        <Editor
          text={text}
          mistakes={mistakes.value}
          shipped={shipped}
          onChange={(changed) => editScenario({ text: changed })}
          onApply={() => runAction(applyDraft)}
        />
        {hasDraft && (
          <p class="muted">
            New tasks still follow {scenarioName.value}. They follow this draft once you apply it.
          </p>
        )}
        <div class="actions">
          <Button
            variant="accent"
            icon="done"
            shortcut="Ctrl Enter"
            label="Apply the scenario"
            isDisabled={!hasDraft}
            onPress={applyDraft}
          >
            Apply
          </Button>
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
      <Preview text={hasDraft ? text : undefined} name={name} />
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

/** Resets the simulator after a confirmation. A draft of a scenario stays. */
function ResetButton() {
  const reset = async () => {
    await runAction(() => control.value.reset(), 'Simulator reset.')
    keepWork({ previous: undefined })
    connect()
  }
  return (
    <DialogButton icon="again" variant="danger" text="Reset simulator…">
      {(close) => (
        <Confirmation
          title="Reset the simulator?"
          text="A reset deletes all tasks, webhooks and requests, and restores the initial scenario, time and random values. Your draft stays."
          action="Reset simulator"
          onConfirm={reset}
          onClose={close}
        />
      )}
    </DialogButton>
  )
}

/** Loads a shipped scenario into the editor, and asks before it replaces a draft. */
function ShippedChoice({
  names,
  hasDraft,
}: {
  readonly names: readonly string[]
  readonly hasDraft: boolean
}) {
  const wanted = useSignal('')
  return (
    <>
      <Choice
        label="Load a shipped scenario"
        all="Load a shipped scenario…"
        value={wanted.value}
        values={names}
        onChoose={(name) => {
          if (hasDraft) wanted.value = name
          else if (name !== '') void runAction(() => loadShipped(name))
        }}
      />
      {wanted.value !== '' && (
        <Confirmation
          title="Replace your draft?"
          text={`Your draft is not applied. Loading ${wanted.value} replaces it.`}
          action="Replace draft"
          onConfirm={() => runAction(() => loadShipped(wanted.value))}
          onClose={setTo(wanted, '')}
        />
      )}
    </>
  )
}

/** The menu that saves the whole state as a file and, after a confirmation, loads one. */
function StateMenu() {
  const input = useRef<HTMLInputElement>(null)
  const file = useSignal<File | undefined>(undefined)
  const url = withToken(`${controlUrl(sandbox.value)}/state.jsonl`)
  const load = async () => {
    const { name = '' } = file.value ?? {}
    await runAction(
      async () => control.value.importState((await file.value?.text()) ?? ''),
      `Loaded ${name}.`,
    )
    keepWork({ previous: undefined })
    connect()
  }
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
      {file.value !== undefined && (
        <Confirmation
          title="Replace the state?"
          text={`${file.value.name} replaces all tasks, webhooks, requests and sandboxes, the scenario and the time. Your draft stays.`}
          action="Load state"
          onConfirm={load}
          onClose={setTo(file, undefined)}
        />
      )}
    </>
  )
}
