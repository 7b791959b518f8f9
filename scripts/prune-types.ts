/** Removes from dist the declarations that no door of the package leads to: nobody can import what they describe. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const { exports: doors } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const IMPORTED = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)\.js'/g

/** The declarations that are reached from the doors, the doors included. */
function reached(): ReadonlySet<string> {
  const found = new Set<string>(
    Object.values<{ types?: string }>(doors).flatMap(({ types }) =>
      types === undefined ? [] : [new URL(types, root).href],
    ),
  )
  // A set that grows while it is walked through: what is added is visited, too.
  for (const file of found) {
    for (const [, path] of readFileSync(new URL(file), 'utf8').matchAll(IMPORTED))
      found.add(new URL(`${path}.d.ts`, file).href)
  }
  return found
}

const needed = reached()
const dist = new URL('dist/', root)
for (const path of readdirSync(fileURLToPath(dist), { recursive: true, encoding: 'utf8' })) {
  const file = new URL(path.replaceAll('\\', '/'), dist)
  if (path.endsWith('.d.ts') && !needed.has(file.href)) rmSync(file)
}
