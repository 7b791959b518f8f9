import { lstatSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { run } from './workshop.js'

/** The bytes of all files. The largest part is the binary of Sharp, whose size depends on the platform. */
const MOST_INSTALLED = 60_000_000
const MOST_PACKAGES = 110
const SHOWN = 8

/** Checks the size of an installation without development dependencies. */
export function checkSize(folder: string, figure: (text: string) => void): void {
  const modules = join(folder, 'node_modules')
  const packages = run(folder, 'npm', 'ls', '--all', '--parseable').trim().split('\n').slice(1)
  const sizes = new Map<string, number>()
  for (const path of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    const name = path.split(sep, path.startsWith('@') ? 2 : 1).join('/')
    const entry = lstatSync(join(modules, path))
    if (entry.isFile()) sizes.set(name, (sizes.get(name) ?? 0) + entry.size)
  }
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, SHOWN)
  figure(`${megabytes(total)} in ${packages.length} packages; the largest:`)
  for (const [name, size] of largest) figure(`${megabytes(size).padStart(9)}  ${name}`)
  if (total > MOST_INSTALLED) throw new Error(`expected at most ${megabytes(MOST_INSTALLED)}`)
  if (packages.length > MOST_PACKAGES) throw new Error(`expected at most ${MOST_PACKAGES} packages`)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
