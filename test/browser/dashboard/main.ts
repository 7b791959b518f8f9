/**
 * Checks the dashboard in Chromium against a real server. With `--screenshot` it takes the README picture instead.
 */
import { existsSync } from 'node:fs'
import { type Check, runChecks } from '../check.js'
import { launchChromium, requireChromium } from '../chromium.js'
import { addressChecks } from './address-checks.js'
import { clockChecks } from './clock-checks.js'
import { comparisonChecks } from './comparison-checks.js'
import { composeChecks } from './compose-checks.js'
import { controlChecks } from './control-checks.js'
import { corsChecks } from './cors-checks.js'
import { deliveryChecks } from './delivery-checks.js'
import { editorChecks } from './editor-checks.js'
import { exportChecks } from './export-checks.js'
import { fileChecks } from './file-checks.js'
import { keyboardChecks } from './keyboard-checks.js'
import { layoutChecks } from './layout-checks.js'
import { numberChecks } from './number-checks.js'
import { outageChecks } from './outage-checks.js'
import { overviewChecks } from './overview-checks.js'
import { requestChecks } from './request-checks.js'
import { safetyChecks } from './safety-checks.js'
import { scaleChecks } from './scale-checks.js'
import { takeScreenshot } from './screenshot.js'
import { Server } from './server.js'
import { scenes } from './stage.js'
import { stateChecks } from './state-checks.js'
import { taskChecks } from './task-checks.js'
import { timelineChecks } from './timeline-checks.js'
import { tokenChecks } from './token-checks.js'
import { useChecks } from './use-checks.js'
import { viewChecks } from './view-checks.js'
import { webhookChecks } from './webhook-checks.js'
import { weightChecks } from './weight-checks.js'

const LONGEST_RUN = 900_000
const FOLDER = new URL('../../../dist/dashboard/', import.meta.url)

async function main(): Promise<void> {
  requireChromium()
  if (!existsSync(FOLDER)) throw new Error('Failed to find dist/dashboard. Run `npm run build` first.')
  const server = await Server.start()
  const browser = await launchChromium()
  try {
    if (process.argv.includes('--screenshot')) return await takeScreenshot(browser, server)
    const scene = scenes({ server, browser })
    const checks = [
      ...weightChecks(print),
      ...taskChecks(scene),
      ...webhookChecks(scene),
      ...deliveryChecks(scene),
      ...requestChecks(scene),
      ...exportChecks(scene),
      ...addressChecks(scene),
      ...composeChecks(scene),
      ...timelineChecks(scene),
      ...comparisonChecks(scene),
      ...controlChecks(scene),
      ...clockChecks(scene),
      ...layoutChecks(scene),
      ...numberChecks(scene),
      ...overviewChecks(scene),
      ...outageChecks(scene),
      ...safetyChecks(scene),
      ...editorChecks(scene),
      ...tokenChecks(browser),
      ...stateChecks(scene),
      ...fileChecks(browser),
      ...corsChecks(browser),
      ...useChecks(scene),
      ...viewChecks(scene),
      ...keyboardChecks(scene),
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

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`test:browser: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

setTimeout(() => fail(`not done after ${LONGEST_RUN / 1_000} s`), LONGEST_RUN).unref()
await main().catch(fail)
