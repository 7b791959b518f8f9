/** Removes the declarations from dist that no entry point of the package uses. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const { exports: entryPoints } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

// The compiler writes import("...") for types that it has inferred.
const IMPORTED = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)\.js['"]/g

/** Returns the declarations of the entry points and all declarations that they import. */
function usedDeclarations(): ReadonlySet<string> {
  const found = new Set<string>(
    Object.values<{ types?: string }>(entryPoints).flatMap(({ types }) =>
      types === undefined ? [] : [new URL(types, root).href],
    ),
  )
  // The loop also visits the files that it adds.
  for (const file of found) {
    for (const [, path] of readFileSync(new URL(file), 'utf8').matchAll(IMPORTED))
      found.add(new URL(`${path}.d.ts`, file).href)
  }
  return found
}

const used = usedDeclarations()
const dist = new URL('dist/', root)
for (const path of readdirSync(fileURLToPath(dist), { recursive: true, encoding: 'utf8' })) {
  const file = new URL(path.replaceAll('\\', '/'), dist)
  if (path.endsWith('.d.ts') && !used.has(file.href)) rmSync(file)
}
