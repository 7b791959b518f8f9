import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ImageSpec } from '../engine/assets/media-spec.js'
import { UsageError } from '../engine/errors.js'
import type { Scene } from './picture/scene.js'
import { toSvg } from './picture/svg.js'

/*
 * The platform functions for Node. Browsers get platform.browser.ts with the same exports: bundlers by the `browser`
 * field of package.json, the compiler by `moduleSuffixes`.
 */

/** The maximum size of a file, because the whole file is read into memory. */
const MAX_BYTES = 256 * 1024 * 1024

/** Draws a scene in the threads of libvips, which does not block requests. */
export async function draw(scene: Scene, format: ImageSpec['format']): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp')
  // One thread per picture: the renderer limits the number of concurrent pictures.
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
 * Reads a file of the scenario. Its path was checked when the scenario was loaded; a symbolic link that replaced the
 * file since then is rejected.
 * @throws UsageError if the file cannot be read
 */
export async function readOwnFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await file.stat()
      if (size > MAX_BYTES) throw new UsageError(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
      return new Uint8Array(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new UsageError(`Cannot read ${path} from \`files\` of the scenario: ${(error as Error).message}`)
  }
}
