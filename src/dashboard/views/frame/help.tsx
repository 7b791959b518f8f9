import { isActive } from '../../model/recording.js'
import { Definitions } from '../../parts/blocks.js'
import { Dialog } from '../../parts/dialog.js'
import { setTo } from '../../parts/hooks.js'
import { recording } from '../../state/session.js'
import { isHelpOpen, SHORTCUTS } from './shortcuts.js'

/** The dialog with the keyboard shortcuts. */
export function Help() {
  if (!isHelpOpen.value) return null
  const active = SHORTCUTS.filter(([keys]) => isActive(keys.charAt(0), recording.value))
  return (
    <Dialog title="Keyboard shortcuts" onClose={setTo(isHelpOpen, false)}>
      <Definitions items={active.map(([keys, description]) => [<kbd key={keys}>{keys}</kbd>, description])} />
    </Dialog>
  )
}
