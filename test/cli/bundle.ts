import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const SOURCE = new URL('../../src/', import.meta.url)
const BUNDLE = new URL('../../dist/cli/main.js', import.meta.url)

/** Bundles the command line before the tests that start it, unless the bundle is newer than every source. */
export default async function bundleCli(): Promise<void> {
  if (existsSync(BUNDLE) && statSync(BUNDLE).mtimeMs > newestSource()) return
  await build({ root: fileURLToPath(new URL('cli', SOURCE)), logLevel: 'warn' })
}

function newestSource(): number {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => statSync(new URL(file, SOURCE)).mtimeMs))
}
