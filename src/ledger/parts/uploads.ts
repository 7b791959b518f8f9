import type { Upload } from '../../engine/assets/upload.js'
import type { SimulatorParts } from '../../simulator/parts.js'
import { differs } from '../rows/differs.js'
import type { StatePart } from '../state-part.js'
import { RowNumbers } from './row-numbers.js'

const NO_BYTES = new Uint8Array(0)

/**
 * The files that clients have sent or announced, in the order of their creation. Each row contains the bytes of its file,
 * but a file that arrives in parts has a row for each part, so that a part is stored once.
 */
export function uploadParts({ uploads, events }: SimulatorParts): StatePart[] {
  const numbers = new RowNumbers()
  /** The saved files that arrive in parts, by id. */
  const inParts = new Set<string>()
  const load = async (rows: readonly unknown[]) => {
    if (rows.length > 0) await uploads.get()
  }

  const occurrences: StatePart<'upload occurrences'> = {
    kind: 'upload occurrences',
    prepare: load,
    watch(changed) {
      events.on('upload.changed', ({ identity }) => changed(identity))
    },
    numbers: () => uploads.loaded?.occurrences.releasedKeys() ?? [],
    write(seq) {
      const released = uploads.loaded?.occurrences.releasedOf(seq) ?? 0
      return released === 0 ? undefined : { value: released }
    },
    restore(rows) {
      for (const { seq, value } of rows) uploads.loaded?.occurrences.restoreReleased(seq, value)
    },
  }

  const pieces: StatePart<'upload part'> = {
    kind: 'upload part',
    prepare: load,
    watch: (changed) => events.on('upload.part_changed', changed),
    numbers: () => uploads.loaded?.parts.numbers() ?? [],
    write(seq) {
      const part = uploads.loaded?.parts.get(seq)
      return part && { value: { upload: part.upload }, bytes: part.bytes }
    },
    restore(rows) {
      for (const { seq, value, bytes = NO_BYTES } of rows) {
        if (!inParts.has(value.upload))
          throw new Error(`There is no upload ${value.upload} that arrives in parts`)
        uploads.loaded?.parts.restore(seq, { ...value, bytes })
      }
    },
  }

  const files: StatePart<'upload'> = {
    kind: 'upload',
    async prepare(rows) {
      await load(rows)
      for (const { value } of rows) if (value.isInParts === true) inParts.add(value.id)
    },
    watch(changed) {
      events.on('reset.begins', () => numbers.clear())
      events.on('upload.changed', ({ id }) => changed(numbers.add(id)))
    },
    *numbers() {
      for (const { id } of uploads.loaded?.all() ?? []) yield numbers.add(id)
    },
    write(seq) {
      const id = numbers.idOf(seq)
      const upload = uploads.loaded?.get(id)
      if (upload === undefined) {
        numbers.delete(id)
        return undefined
      }
      const { bytes, ...value } = upload
      return upload.isInParts === true ? { value } : { value, bytes }
    },
    restore(rows) {
      for (const { seq, value, bytes = NO_BYTES } of rows) {
        const upload: Upload = { ...value, readyAt: value.readyAt, bytes }
        if (uploads.loaded?.get(upload.id) !== undefined) throw new Error(differs('id', upload.id))
        numbers.restore(upload.id, seq)
        uploads.loaded?.restore(upload)
      }
    },
  }
  return [occurrences, pieces, files]
}
