import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { UsageError } from '../../engine/errors.js'

/** The native libraries of sharp in the executable. */
interface NativeFiles {
  /** The library that Node loads. */
  readonly binding: string
  /** All libraries. Their relative paths matter, because one loads the other. */
  readonly all: readonly string[]
}

const { binding, all }: NativeFiles = JSON.parse(getAsset('native.json', 'utf8'))

/** The native part of sharp. Replaces the module of sharp that looks for it in node_modules. */
export default loadBinding()

/**
 * Loads the libraries. Linux loads libraries only from files, so they exist for the moment in which they are loaded; the
 * process keeps them when the files are gone.
 */
function loadBinding(): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-'))
  try {
    for (const path of all) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), new Uint8Array(getRawAsset(path) as ArrayBuffer), { mode: 0o700 })
    }
    const module = { exports: {} }
    process.dlopen(module, join(folder, binding))
    return module.exports
  } catch (error) {
    throw new UsageError(
      `Cannot load the image library from ${folder}: ${(error as Error).message}. Set TMPDIR to a folder with 20 MB of space that allows programs, or use the npm package tasksim.`,
      { cause: error },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
