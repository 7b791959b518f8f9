import { CLIPS } from './index.generated.js'

/**
 * Decodes a media clip. The result is not cached.
 * @param file the file name
 * @throws Error if there is no such clip
 */
export async function loadClip(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = CLIPS[file]
  if (load === undefined) throw new Error(`Failed to load the media clip ${file}: it does not exist.`)
  const { CLIP } = await load()
  return Uint8Array.from(atob(CLIP), (character) => character.charCodeAt(0))
}
