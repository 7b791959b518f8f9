import { ownFileOf } from '../engine/assets/asset.js'
import type { ImageOrder } from '../engine/assets/media-order.js'
import type { Renderer } from '../engine/assets/renderer.js'
import { Chance } from '../engine/random.js'
import type { Task } from '../engine/tasks/task.js'
import { Gate } from './gate.js'

/** Enough to keep two cores busy; more at a time would only need more memory. */
const PICTURES_AT_ONCE = 2

/** What a file is where neither the kind nor the scenario says so, as of a tool whose output has a URL. */
const PLAIN: ImageOrder = { kind: 'image', width: 1_024, height: 1_024, format: 'png', count: 1 }

/**
 * Makes files as they were ordered: pictures are drawn, videos and sounds are put together from clips. What that
 * takes is loaded with the first file that somebody fetches.
 */
export function createMediaRenderer(): Renderer {
  const gate = new Gate(PICTURES_AT_ONCE)
  return {
    async render(task, file) {
      const own = ownFileOf(task, file)
      if (own !== undefined) return (await import('./platform.js')).readOwnFile(own)
      const order = task.media ?? PLAIN
      switch (order.kind) {
        case 'image':
          return gate.run(() => picture(task, file, order))
        case 'video':
          return (await import('./video/render-video.js')).renderVideo(order)
        case 'audio':
          return (await import('./audio/render-audio.js')).renderAudio(order)
      }
    },
  }
}

async function picture(
  { id, model, input }: Task,
  file: number,
  { width, height, format }: ImageOrder,
): Promise<Uint8Array<ArrayBuffer>> {
  const [{ compose }, { draw }] = await Promise.all([import('./picture/compose.js'), import('./platform.js')])
  const prompt = input['prompt'] ?? input['text']
  const subject = { width, height, model, prompt: typeof prompt === 'string' ? prompt : '' }
  return draw(await compose(subject, Chance.of(`${id} ${file}`).stream('picture')), format)
}
