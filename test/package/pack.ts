import { join } from 'node:path'
import { ROOT, run, WORKSHOP } from './workshop.js'

/** A package as npm packs it. */
export interface Packed {
  /** The tarball. */
  readonly file: string
  /** The bytes of the tarball and of its contents. */
  readonly size: number
  readonly unpackedSize: number
  readonly paths: readonly string[]
}

/** Packs the package with new declarations. It does not bundle again, because other processes may run from `dist`. */
export function pack(): Packed {
  run(ROOT, 'npm', 'run', 'build:types')
  const told = run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', WORKSHOP)
  const [{ filename, size, unpackedSize, files }] = JSON.parse(told)
  return {
    file: join(WORKSHOP, filename),
    size,
    unpackedSize,
    paths: files.map(({ path }: { path: string }) => path),
  }
}
