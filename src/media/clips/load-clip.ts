import { CLIPS } from './index.generated.js'

/**
 * The bytes of a media clip, by the name of its file. What is decoded is not kept: whoever needs it often keeps it.
 * @throws Error where there is none of this name
 */
export async function loadClip(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = CLIPS[file]
  if (load === undefined) throw new Error(`There is no media clip ${file}.`)
  const { CLIP } = await load()
  return Uint8Array.from(atob(CLIP), (character) => character.charCodeAt(0))
}
