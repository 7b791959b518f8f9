import type { VideoSpec } from '../../engine/assets/media-spec.js'
import { loadClip } from '../clips/load-clip.js'

/**
 * Renders a video: the repeated packets of a clip in a new MP4 with its index at the start. This takes milliseconds,
 * because nothing is decoded or encoded.
 */
export async function renderVideo({
  width,
  height,
  seconds,
  sound,
}: VideoSpec): Promise<Uint8Array<ArrayBuffer>> {
  const [{ remux }, picture, track] = await Promise.all([
    import('./remux.js'),
    loadClip(`video-${width}x${height}.mp4`),
    sound ? loadClip('video-sound.m4a') : undefined,
  ])
  return stripTimestamps(await remux({ picture, track, seconds }))
}

const CONTAINERS: readonly string[] = ['moov', 'trak', 'mdia']
const TIMESTAMPED: readonly string[] = ['mvhd', 'tkhd', 'mdhd']

/**
 * Sets the creation and modification times in the headers of an MP4 to 0, in place, so that equal specs give equal
 * bytes.
 */
function stripTimestamps(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const visit = (start: number, end: number) => {
    for (let box = start; box + 8 <= end; ) {
      const size = view.getUint32(box)
      // A size of 0 means up to the end of the file, and 1 means above 4 GB. Neither box contains a header.
      if (size < 8) return
      const type = String.fromCharCode(...file.subarray(box + 4, box + 8))
      if (CONTAINERS.includes(type)) visit(box + 8, Math.min(box + size, end))
      if (TIMESTAMPED.includes(type))
        file.fill(0, box + 12, box + 12 + (view.getUint8(box + 8) === 1 ? 16 : 8))
      box += size
    }
  }
  visit(0, file.length)
  return file
}
