import type { VideoOrder } from '../../engine/assets/media-order.js'
import { loadClip } from '../clips/load-clip.js'
import { clearTimes } from './clear-times.js'

/**
 * Makes a video: the packets of a clip, again and again until the duration is reached, in a new MP4 with its index
 * in front. Nothing is decoded or encoded, so it takes milliseconds.
 */
export async function renderVideo({
  width,
  height,
  seconds,
  sound,
}: VideoOrder): Promise<Uint8Array<ArrayBuffer>> {
  const [{ remux }, picture, track] = await Promise.all([
    import('./remux.js'),
    loadClip(`video-${width}x${height}.mp4`),
    sound ? loadClip('video-sound.m4a') : undefined,
  ])
  return clearTimes(await remux({ picture, track, seconds }))
}
