import type { Upload } from '../../engine/assets/upload.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'
import { differs } from './row-checks.js'
import { RowNumbers } from './row-numbers.js'

const NO_BYTES = new Uint8Array(0)

/**
 * The files that clients have sent or announced, in the order of their creation, and their bytes. A row of a file has the
 * number of its bytes, and is stored after them: further parts, which a crash has left behind, are not restored.
 */
export function uploadParts({ uploads, events }: SimulatorParts): StatePart[] {
  const numbers = new RowNumbers()
  /** How many bytes of each saved file have not been restored yet, by id. */
  const missing = new Map<string, number>()
  /** The parts without a file. */
  const leftOver: number[] = []
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
    mayComeFirst: true,
    prepare: load,
    watch(changed) {
      leftOver.forEach(changed)
      events.on('upload.part_changed', changed)
    },
    numbers: () => uploads.loaded?.parts.numbers() ?? [],
    write(seq) {
      const part = uploads.loaded?.parts.get(seq)
      return part && { value: { upload: part.upload }, bytes: part.bytes }
    },
    restore(rows) {
      for (const { seq, value, bytes = NO_BYTES } of rows) {
        const left = missing.get(value.upload) ?? 0
        if (bytes.length === 0 || bytes.length > left) leftOver.push(seq)
        else {
          missing.set(value.upload, left - bytes.length)
          uploads.loaded?.parts.restore(seq, { ...value, bytes })
        }
      }
    },
  }

  const files: StatePart<'upload'> = {
    kind: 'upload',
    async prepare(rows) {
      await load(rows)
      for (const { value } of rows) missing.set(value.id, value.size)
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
      const { bytes: _, ...value } = upload
      return { value: { ...value, size: uploads.loaded?.parts.arrivedOf(id).size } }
    },
    restore(rows) {
      for (const { seq, value } of rows) {
        const { size, ...facts } = value
        const upload: Upload = { ...facts, readyAt: value.readyAt, bytes: NO_BYTES }
        if (uploads.loaded?.get(upload.id) !== undefined) throw new Error(differs('id', upload.id))
        const { size: arrived = 0 } = uploads.loaded?.parts.arrivedOf(upload.id) ?? {}
        if (arrived !== size)
          throw new Error(
            `\`size\` must be the number of bytes in its rows of the kind "upload part", which have ${arrived}`,
          )
        numbers.restore(upload.id, seq)
        uploads.loaded?.restore(upload)
      }
    },
  }
  return [occurrences, pieces, files]
}
