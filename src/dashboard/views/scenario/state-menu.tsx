import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Confirmation } from '../../parts/confirmation.js'
import { Menu } from '../../parts/menu.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { keepWork } from '../../state/drafts.js'
import { connect } from '../../state/live.js'
import { runAction } from '../../state/notifications.js'
import { sandbox } from '../../state/route.js'
import { control } from '../../state/session.js'

/** The menu that saves the whole state as a file and, after a confirmation, loads one. */
export function StateMenu() {
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
