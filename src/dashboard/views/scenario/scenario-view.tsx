import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Card } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Choice } from '../../parts/choices.js'
import { CopyButton } from '../../parts/copy.js'
import { Dialog } from '../../parts/dialog.js'
import { Menu } from '../../parts/menu.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { keepWork, previous } from '../../state/drafts.js'
import { connect } from '../../state/live.js'
import { runAction } from '../../state/notifications.js'
import { sandbox } from '../../state/route.js'
import { control, simulator } from '../../state/session.js'
import { Editor } from './editor.js'
import { Preview } from './preview.js'
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

/** Resets the simulator after a confirmation. A draft of a scenario stays. */
function ResetButton() {
  const isAsking = useSignal(false)
  const reset = async () => {
    await runAction(() => control.value.reset(), 'Simulator reset.')
    keepWork({ previous: undefined })
    connect()
  }
  return (
    <>
      <Button
        icon="again"
        variant="danger"
        onPress={() => {
          isAsking.value = true
        }}
      >
        Reset simulator…
      </Button>
      {isAsking.value && (
        <Confirmation
          title="Reset the simulator?"
          text="A reset deletes all tasks, webhooks and requests, and restores the initial scenario, time and random values. Your draft stays."
          action="Reset simulator"
          onConfirm={reset}
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}

/** Loads a shipped scenario into the editor, and asks before it replaces a draft. */
function ShippedChoice({
  names,
  hasDraft,
  onLoad,
}: {
  readonly names: readonly string[]
  readonly hasDraft: boolean
  readonly onLoad: (name: string) => Promise<void>
}) {
  const wanted = useSignal('')
  const close = () => {
    wanted.value = ''
  }
  return (
    <>
      <Choice
        label="Load a shipped scenario"
        all="Load a shipped scenario…"
        value={wanted.value}
        values={names}
        onChoose={(name) => {
          if (hasDraft) wanted.value = name
          else if (name !== '') void runAction(() => onLoad(name))
        }}
      />
      {wanted.value !== '' && (
        <Confirmation
          title="Replace your draft?"
          text={`Your draft is not applied. Loading ${wanted.value} replaces it.`}
          action="Replace draft"
          onConfirm={() => runAction(() => onLoad(wanted.value))}
          onClose={close}
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
  return (
    <>
      <Menu
        icon="save"
        items={[
          { label: 'Save state', note: 'with secrets', href: url, download: 'tasksim-state.jsonl' },
          { label: 'Load state…', onChoose: () => input.current?.click() },
        ]}
      >
        State
      </Menu>
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
        <LoadConfirmation
          file={file.value}
          onClose={() => {
            file.value = undefined
          }}
        />
      )}
    </>
  )
}

function LoadConfirmation({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const load = async () => {
    await runAction(async () => control.value.importState(await file.text()), `Loaded ${file.name}.`)
    keepWork({ previous: undefined })
    connect()
  }
  return (
    <Confirmation
      title="Replace the state?"
      text={`${file.name} replaces all tasks, webhooks, requests and sandboxes, the scenario and the time. Your draft stays.`}
      action="Load state"
      onConfirm={load}
      onClose={onClose}
    />
  )
}

/** Asks whether to do something that cannot be undone. */
function Confirmation({
  title,
  text,
  action,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly text: string
  /** The label of the button that does it. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}) {
  const confirm = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="actions">
        <span class="spring" />
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="danger" icon="again" onPress={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
