import type { Random } from '../../engine/random.js'
import { bubbles } from './backdrops/bubbles.js'
import type { Backdrop } from './backdrops/canvas.js'
import { dunes } from './backdrops/dunes.js'
import { peaks } from './backdrops/peaks.js'
import { ribbons } from './backdrops/ribbons.js'
import { rings } from './backdrops/rings.js'
import { labelShapes } from './labels.js'
import { PALETTES } from './palettes.js'
import type { Scene, Subject } from './scene.js'

const BACKDROPS: readonly Backdrop[] = [dunes, bubbles, ribbons, peaks, rings]

/** Composes a picture. The same subject and random stream always give the same scene. */
export async function compose(subject: Subject, random: Random): Promise<Scene> {
  const { GLYPHS } = await import('./glyphs.generated.js')
  const { width, height } = subject
  const palette = pick(PALETTES, random)
  const backdrop = pick(BACKDROPS, random)
  const shapes = [...backdrop({ width, height, random }, palette), ...labelShapes(GLYPHS, subject, palette)]
  return { width, height, shapes }
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.int(items.length)] as Item
}
