import type { Renderer } from '../engine/assets/asset.js'
import { scenarioFileOf } from '../engine/assets/asset.js'
import type { ImageSpec } from '../engine/assets/media-spec.js'
import { KeyedQueue } from '../engine/keyed-queue.js'
import { Chance } from '../engine/random.js'
import type { Task } from '../engine/tasks/task.js'

/** Two pictures keep two cores busy; more pictures would only use more memory. */
const CONCURRENT_PICTURES = 2

/** The spec for files of tasks without a media spec, such as a tool with a URL in its output. */
const DEFAULT_SPEC: ImageSpec = { kind: 'image', width: 1_024, height: 1_024, format: 'png', count: 1 }

/**
 * Creates the renderer of output files: it draws pictures, and assembles videos and sounds from clips. It loads the
 * necessary modules with the first file.
 */
export function createMediaRenderer(): Renderer {
  const queue = new KeyedQueue({ total: CONCURRENT_PICTURES })
  return {
    async render(task, file) {
      const ownFile = scenarioFileOf(task, file)
      if (ownFile !== undefined) return (await import('./platform.js')).readOwnFile(ownFile)
      const spec = task.media ?? DEFAULT_SPEC
      switch (spec.kind) {
        case 'video':
          return (await import('./video/render-video.js')).renderVideo(spec)
        case 'audio':
          return (await import('./audio/render-audio.js')).renderAudio(spec)
        default:
          return queue.run('picture', () =>
            renderPicture(task, file, spec.kind === 'image' ? spec : DEFAULT_SPEC),
          )
      }
    },
  }
}

async function renderPicture(
  { id, model, input }: Task,
  file: number,
  { width, height, format }: ImageSpec,
): Promise<Uint8Array<ArrayBuffer>> {
  const [{ compose }, { draw }] = await Promise.all([import('./picture/compose.js'), import('./platform.js')])
  const prompt = input['prompt'] ?? input['text']
  const subject = { width, height, model, prompt: typeof prompt === 'string' ? prompt : '' }
  return draw(await compose(subject, Chance.of(`${id} ${file}`).stream('picture')), format)
}
