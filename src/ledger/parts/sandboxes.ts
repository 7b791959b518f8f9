import type { Sandbox, SandboxIdentity } from '../../engine/sandboxes.js'
import type { Simulator } from '../../simulator.js'
import type { SandboxOptions } from '../../simulator-settings.js'
import type { SavedRow, StatePart } from '../state-part.js'

/** The number of the row that counts all sandboxes ever created. */
const CREATED = 0

/** What a sandbox is built from, besides its scenario. */
export interface SavedSandbox extends Pick<Sandbox<unknown>, 'identity' | 'idle'> {
  readonly identity: SandboxIdentity
  readonly own: Pick<SandboxOptions, (typeof OWN)[number]>
}

const OWN = ['seed', 'clock', 'speed', 'start', 'webhookSecret'] as const

/** The sandboxes of a simulator. A row has the number of its sandbox. The state of each is in a space of its own. */
export function sandboxPart({ sandboxes, parts: { events } }: Simulator): StatePart {
  const byNumber = new Map<number, Sandbox<Simulator>>()
  return {
    kind: 'sandbox',
    watch(changed) {
      events.on('sandbox.created', (id) => {
        const sandbox = sandboxes.get(id)
        if (sandbox === undefined) return
        byNumber.set(sandbox.number, sandbox)
        changed(CREATED)
        changed(sandbox.number)
      })
      events.on('sandbox.deleted', (id) => {
        const { number = CREATED } = sandboxes.get(id) ?? {}
        byNumber.delete(number)
        changed(number)
      })
    },
    *numbers() {
      yield CREATED
      for (const sandbox of sandboxes.list()) {
        byNumber.set(sandbox.number, sandbox)
        yield sandbox.number
      }
    },
    write(seq) {
      if (seq === CREATED) return { value: sandboxes.created }
      const sandbox = byNumber.get(seq)
      return sandbox && { value: saved(sandbox) }
    },
    restore(rows) {
      sandboxes.created = rows.find(({ seq }) => seq === CREATED)?.value ?? 0
    },
  }
}

/** Reads the rows of {@link sandboxPart}: what each sandbox is built from, by its number. */
export function savedSandboxes(rows: readonly SavedRow[]): ReadonlyMap<number, SavedSandbox> {
  return new Map(rows.filter(({ seq }) => seq !== CREATED).map(({ seq, value }) => [seq, value]))
}

function saved({ identity, idle, sim: { settings } }: Sandbox<Simulator>): SavedSandbox {
  return { identity, idle, own: Object.fromEntries(OWN.map((name) => [name, settings[name]])) }
}
