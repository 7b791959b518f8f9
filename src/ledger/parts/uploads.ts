import type { Upload } from '../../engine/assets/upload.js'
import type { SimulatorParts } from '../../simulator-parts.js'
import type { StatePart } from '../state-part.js'

const NO_BYTES = new Uint8Array(0)

/** The files that clients have sent or announced, in the order of their creation. Each row contains the bytes of its file. */
export function uploadParts({ uploads, events }: SimulatorParts): StatePart[] {
  const numbers = new UploadNumbers()
  const load: StatePart['prepare'] = async (rows) => {
    if (rows.length > 0) await uploads.get()
  }

  const occurrences: StatePart = {
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

  const files: StatePart = {
    kind: 'upload',
    prepare: load,
    watch(changed) {
      events.on('reset.begins', () => numbers.clear())
      events.on('upload.changed', ({ id }) => changed(numbers.of(id)))
    },
    *numbers() {
      for (const { id } of uploads.loaded?.all() ?? []) yield numbers.of(id)
    },
    write(seq) {
      const upload = uploads.loaded?.get(numbers.idOf(seq))
      if (upload !== undefined) {
        const { bytes, ...value } = upload
        return { value, bytes }
      }
      numbers.delete(seq)
      return undefined
    },
    restore(rows) {
      for (const { seq, value, bytes = NO_BYTES } of rows) {
        const upload: Upload = { ...value, bytes }
        numbers.restore(upload.id, seq)
        uploads.loaded?.restore(upload)
      }
    },
  }
  return [occurrences, files]
}

/** Numbers uploads in the order of their creation. */
class UploadNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #ids = new Map<number, string>()
  #last = 0

  of(id: string): number {
    const number = this.#numbers.get(id) ?? this.#last + 1
    this.restore(id, number)
    return number
  }

  restore(id: string, number: number): void {
    this.#numbers.set(id, number)
    this.#ids.set(number, id)
    this.#last = Math.max(this.#last, number)
  }

  idOf(number: number): string {
    return this.#ids.get(number) ?? ''
  }

  /** Forgets the uploads. The numbers continue. */
  clear(): void {
    this.#numbers.clear()
    this.#ids.clear()
  }

  delete(number: number): void {
    this.#numbers.delete(this.idOf(number))
    this.#ids.delete(number)
  }
}
