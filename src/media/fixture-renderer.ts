import { fileTypeOf } from '../core/asset/asset.js'
import type { Renderer } from '../core/asset/renderer.js'

/** Gives the same picture, video or sound for every task: the media fixtures, decoded once each. */
export function createFixtureRenderer(): Renderer {
  const decoded = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    render(task) {
      const { extension } = fileTypeOf(task)
      const bytes = decoded.get(extension) ?? decode(extension)
      decoded.set(extension, bytes)
      return bytes
    },
  }
}

async function decode(extension: 'png' | 'mp4' | 'mp3'): Promise<Uint8Array<ArrayBuffer>> {
  const { IMAGE, VIDEO, AUDIO } = await import('./clips.generated.js')
  const clip = { png: IMAGE, mp4: VIDEO, mp3: AUDIO }[extension]
  return Uint8Array.from(atob(clip), (character) => character.charCodeAt(0))
}
