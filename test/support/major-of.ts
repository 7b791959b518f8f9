import { readFileSync } from 'node:fs'

/** The installed major version of an npm package. `npm run test:matrix` installs newer ones than `npm ci`. */
export function majorOf(name: string): number {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return Number.parseInt(JSON.parse(readFileSync(path, 'utf8')).version, 10)
}
