/**
 * Checks the dashboard in Chromium against a real server. With `--screenshot` it takes the README picture instead.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type Check, expectEqual, runChecks } from '../check.js'
import { launchChromium, requireChromium } from '../chromium.js'
import { controlChecks } from './control-checks.js'
import { corsChecks } from './cors-checks.js'
import { fileChecks } from './file-checks.js'
import { scaleChecks } from './scale-checks.js'
import { takeScreenshot } from './screenshot.js'
import { Server } from './server.js'
import { scenes } from './stage.js'
import { taskChecks } from './task-checks.js'
import { tokenChecks } from './token-checks.js'
import { useChecks } from './use-checks.js'
import { webhookChecks } from './webhook-checks.js'

const LONGEST_RUN = 300_000
const FOLDER = new URL('../../../dist/dashboard/', import.meta.url)
const MOST_BYTES = 100_000

async function main(): Promise<void> {
  requireChromium()
  if (!existsSync(FOLDER)) throw new Error('Failed to find dist/dashboard. Run `npm run build` first.')
  const server = await Server.start()
  const browser = await launchChromium()
  try {
    if (process.argv.includes('--screenshot')) return await takeScreenshot(browser, server)
    const scene = scenes({ server, browser })
    const checks = [
      bundleCheck(),
      ...taskChecks(scene),
      ...webhookChecks(scene),
      ...controlChecks(scene),
      ...tokenChecks(browser),
      ...fileChecks(browser),
      ...corsChecks(browser),
      ...useChecks(scene),
      ...scaleChecks(scene, print),
    ]
    const [, , only] = process.argv
    await report(only === undefined ? checks : checks.filter(({ title }) => title.includes(only)))
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function report(checks: readonly Check[]): Promise<void> {
  let failed = 0
  for (const check of checks) {
    const [{ title, error } = { title: '', error: undefined }] = await runChecks([check])
    print(error === undefined ? `ok      ${title}` : `FAILED  ${title}\n        ${error}`)
    if (error !== undefined) failed += 1
  }
  print(`${checks.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function bundleCheck(): Check {
  return {
    title: `the page weighs less than ${MOST_BYTES / 1_000} kB gzipped, and asks no other server for anything`,
    run() {
      const names = readdirSync(new URL('assets/', FOLDER)).map((name) => `assets/${name}`)
      const files = ['index.html', ...names].map((name) => readFileSync(new URL(name, FOLDER)))
      const weight = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
      print(`        ${(weight / 1_000).toFixed(1)} kB gzipped`)
      expectEqual('whether it is light', weight < MOST_BYTES, true)
      const others = files.flatMap(
        (file) => String(file).match(/(?:src|href|url\()\s*=?\s*["'(]?https?:\/\/[^"')\s]+/g) ?? [],
      )
      expectEqual('other servers', others, [])
    },
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`test:browser: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

setTimeout(() => fail(`not done after ${LONGEST_RUN / 1_000} s`), LONGEST_RUN).unref()
await main().catch(fail)
