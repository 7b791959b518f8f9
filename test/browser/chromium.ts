import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

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
  if (existsSync(PATH)) return
  throw new Error(
    `Failed to find Chromium at ${PATH}. Install it with \`apt-get install -y chromium\`, ` +
      'or set CHROMIUM_PATH to where it is.',
  )
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ headless: true, executablePath: PATH, args: ARGUMENTS })
}
