import type { VideoSpec } from '../../engine/assets/media-spec.js'
import { loadClip } from '../clips/load-clip.js'
import { stripTimestamps } from './strip-timestamps.js'

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
