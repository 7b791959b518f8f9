import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EXTENSIONS, extensionOf } from '../../engine/assets/asset.js'
import { UsageError } from '../../engine/errors.js'
import type { LookUp } from '../../scenario/language/layers/own-files.js'

/**
 * Resolves the paths of output files in a scenario file. The path of a folder stands for its visible files, sorted by
 * name. All files must be inside the folder of the scenario file.
 */
export function outputFileLookUp(scenarioFile: string): LookUp {
  const root = realpathSync(dirname(resolve(scenarioFile)))
  return (path) => {
    const real = realPath(resolve(root, path), path)
    requireInside(root, real, path)
    if (!statSync(real).isDirectory()) return [requireKnownType(real, path)]
    const names = readdirSync(real).filter((name) => !name.startsWith('.'))
    const files = names.sort().map((name) => {
      const file = realPath(join(real, name), name)
      // A symbolic link must not lead out of the folder.
      requireInside(real, file, name)
      return requireKnownType(file, name)
    })
    if (files.length === 0) throw new UsageError('the folder is empty')
    return files
  }
}

function realPath(path: string, name: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new UsageError(`${name} does not exist; paths are relative to the scenario file`)
  }
}

function requireInside(folder: string, file: string, name: string): void {
  const path = relative(folder, file)
  if (path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path)
    throw new UsageError(`${name} is outside the folder of the scenario file; copy it into the folder`)
}

function requireKnownType(file: string, name: string): string {
  if (!statSync(file).isFile()) throw new UsageError(`${name} is not a file`)
  if (EXTENSIONS.includes(extensionOf(file))) return file
  const endings = EXTENSIONS.map((ending) => `.${ending}`).join(', ')
  throw new UsageError(`${name} has an unknown type; expected one of ${endings}`)
}
