import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EXTENSIONS, extensionOf } from '../engine/assets/asset.js'
import { UsageError } from '../engine/errors.js'
import type { LookUp } from '../scenario/language/layers/own-files.js'

/**
 * Resolves the paths of output files in a scenario file. A path names a file, or a folder whose visible files count in
 * the order of their names. All files must be inside the folder of the scenario file.
 */
export function outputFileLookUp(scenarioFile: string): LookUp {
  const home = realpathSync(dirname(resolve(scenarioFile)))
  return (path) => {
    const real = realPath(resolve(home, path), path)
    requireInside(home, real, path)
    if (!statSync(real).isDirectory()) return [checked(real, path)]
    const names = readdirSync(real).filter((name) => !name.startsWith('.'))
    const files = names.sort().map((name) => {
      const file = realPath(join(real, name), name)
      // A link must not leave the folder.
      requireInside(real, file, name)
      return checked(file, name)
    })
    if (files.length === 0) throw new UsageError('the folder is empty')
    return files
  }
}

function realPath(path: string, shown: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new UsageError(`${shown} does not exist; paths are relative to the scenario file`)
  }
}

function requireInside(folder: string, file: string, shown: string): void {
  const way = relative(folder, file)
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
    throw new UsageError(`${shown} is outside the folder of the scenario file; copy it into the folder`)
}

function checked(file: string, shown: string): string {
  if (!statSync(file).isFile()) throw new UsageError(`${shown} is not a file`)
  if (EXTENSIONS.includes(extensionOf(file))) return file
  const endings = EXTENSIONS.map((ending) => `.${ending}`).join(', ')
  throw new UsageError(`${shown} has an unknown type; expected one of ${endings}`)
}
