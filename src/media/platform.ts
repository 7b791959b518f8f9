import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ImageOrder } from '../engine/assets/media-order.js'
import { UsageError } from '../engine/errors.js'
import type { Scene } from './picture/scene.js'
import { toSvg } from './picture/svg.js'

/*
 * What the renderer needs of Node. A browser gets platform.browser.ts instead, which has the same exports: the field
 * `browser` of package.json tells bundlers, and `moduleSuffixes` the compiler.
 */

/** A file that is larger is not handed out: it would be in memory as a whole. */
const MOST_BYTES = 256 * 1024 * 1024

/** Draws a scene, in threads of libvips, so that requests are answered meanwhile. */
export async function draw(scene: Scene, format: ImageOrder['format']): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp')
  // How many pictures are drawn at a time is decided by the renderer; each takes one thread.
  sharp.concurrency(1)
  const picture = sharp(Buffer.from(toSvg(scene))).flatten({ background: '#ffffff' })
  const encoded = {
    png: () => picture.png({ compressionLevel: 6 }),
    jpeg: () => picture.jpeg({ quality: 86 }),
    webp: () => picture.webp({ quality: 84, effort: 3 }),
  }[format]()
  return new Uint8Array(await encoded.toBuffer())
}

/**
 * Reads a file that a scenario hands out. It was looked at when the scenario was read; that it has become a link
 * to somewhere else meanwhile is no way out of its folder.
 * @throws UsageError where it cannot be read
 */
export async function readOwnFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await file.stat()
      if (size > MOST_BYTES) throw new UsageError(`it is larger than ${MOST_BYTES} bytes`)
      return new Uint8Array(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new UsageError(
      `Cannot hand out ${path}, which the scenario names under \`files\`: ${(error as Error).message}`,
    )
  }
}
