import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Clients of services that are too large to be installed with the project, or whose peers conflict: package and version.
 * `npm run test:matrix` installs them. The tests of a client are skipped without it.
 */
export const LARGE_CLIENTS: Readonly<Record<string, string>> = {
  '@elevenlabs/elevenlabs-js': '2.73.0',
  '@tanstack/ai': '0.58.0',
  '@tanstack/ai-fal': '0.10.1',
}

/** Whether a package is installed. */
export function isInstalled(name: string): boolean {
  return existsSync(fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url)))
}
