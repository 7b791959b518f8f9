/** Removes the files of earlier builds from `dist`, except for the declarations, which `npm run build:types` writes. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist', import.meta.url))

if (existsSync(dist)) {
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const file = join(dist, path)
    if (!path.endsWith('.d.ts') && statSync(file).isFile()) rmSync(file)
  }
}
