import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Chromium may be. Its shell without windows needs about half of the time for the checks. */
const PATHS = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const PATH = PATHS.find((path) => existsSync(path))

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Blocks all requests that the simulator does not answer.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** Throws if Chromium is missing, and explains how to install it. */
export function requireChromium(): void {
  if (PATH !== undefined) return
  throw new Error(
    'Failed to find Chromium. Install it with `apt-get install -y chromium-headless-shell`, or set CHROMIUM_PATH to ' +
      'where it is.',
  )
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ headless: true, executablePath: PATH ?? '', args: ARGUMENTS })
}
