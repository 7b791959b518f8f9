import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EXTENSIONS, extensionOf } from '../engine/assets/asset.js'
import { UsageError } from '../engine/errors.js'
import type { LookUp } from '../scenario/language/layers/own-files.js'

/**
 * Finds the files behind the paths that a scenario file names: a file, or all files of a folder in the order of
 * their names, but hidden ones. Whatever is named, none may lie outside the folder of the scenario file.
 */
export function lookUpBeside(scenarioFile: string): LookUp {
  const home = realpathSync(dirname(resolve(scenarioFile)))
  return (path) => {
    const real = realPath(resolve(home, path), path)
    requireInside(home, real, path)
    if (!statSync(real).isDirectory()) return [checked(real, path)]
    const names = readdirSync(real).filter((name) => !name.startsWith('.'))
    const files = names.sort().map((name) => {
      const file = realPath(join(real, name), name)
      // Links are welcome within the folder that was named, and lead nowhere else.
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
    throw new UsageError(`there is no ${shown}; paths are seen from the scenario file`)
  }
}

function requireInside(folder: string, file: string, shown: string): void {
  const way = relative(folder, file)
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
    throw new UsageError(`${shown} leads outside the folder; put a copy inside`)
}

function checked(file: string, shown: string): string {
  if (!statSync(file).isFile()) throw new UsageError(`${shown} is no file`)
  if (EXTENSIONS.includes(extensionOf(file))) return file
  const endings = EXTENSIONS.map((ending) => `.${ending}`).join(', ')
  throw new UsageError(`the type of ${shown} is not known; files end in one of ${endings}`)
}
