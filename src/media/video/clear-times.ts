const CONTAINERS: readonly string[] = ['moov', 'trak', 'mdia']
const STAMPED: readonly string[] = ['mvhd', 'tkhd', 'mdhd']

/**
 * Takes the creation and modification times out of the headers of an MP4, in place: the same order gives the same
 * bytes, whenever it is made.
 */
export function clearTimes(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const visit = (start: number, end: number) => {
    for (let box = start; box + 8 <= end; ) {
      const size = view.getUint32(box)
      // A size of 0 or 1 is of a box that reaches to the end or beyond 4 GB; neither holds a header.
      if (size < 8) return
      const type = String.fromCharCode(...file.subarray(box + 4, box + 8))
      if (CONTAINERS.includes(type)) visit(box + 8, Math.min(box + size, end))
      if (STAMPED.includes(type)) file.fill(0, box + 12, box + 12 + (view.getUint8(box + 8) === 1 ? 16 : 8))
      box += size
    }
  }
  visit(0, file.length)
  return file
}
