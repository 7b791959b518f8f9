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
import { type Stage, scenes } from './stage.js'
import { stateChecks } from './state-checks.js'
import { taskChecks } from './task-checks.js'
import { timelineChecks } from './timeline-checks.js'
import { tokenChecks } from './token-checks.js'
import { useChecks } from './use-checks.js'
import { viewChecks } from './view-checks.js'
import { webhookChecks } from './webhook-checks.js'
import { weightChecks } from './weight-checks.js'

const LONGEST_RUN = 900_000
/** A check waits for the page most of the time, but keeps the rest of a core busy. Machines for CI have two cores. */
const AT_ONCE = 2
const FOLDER = new URL('../../../dist/dashboard/', import.meta.url)

async function main(): Promise<void> {
  requireChromium()
  if (!existsSync(FOLDER)) throw new Error('Failed to find dist/dashboard. Run `npm run build` first.')
  const [, , argument] = process.argv
  if (argument === '--screenshot')
    return onStages(1, ([{ browser, server }]) => takeScreenshot(browser, server))
  const isChosen = ({ title }: Check) => argument === undefined || title.includes(argument)
  const late = await onStages(AT_ONCE, (stages) =>
    failuresOf(stages.map((stage) => checksOn(stage).filter(isChosen))),
  )
  // A check that was too late beside another one runs again alone, and so does the measurement of frames.
  const failed = await onStages(1, ([stage]) => {
    const again = checksOn(stage).filter(({ title }) => late.includes(title))
    return failuresOf([[...again, ...scaleChecks(scenes(stage), print).filter(isChosen)]])
  })
  for (const title of failed) print(`FAILED  ${title}`)
  print(`${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** Opens stages, each with a server, a browser and thus a clipboard of its own, and closes them after their use. */
async function onStages<Result>(
  count: number,
  use: (stages: readonly [Stage, ...Stage[]]) => Promise<Result>,
): Promise<Result> {
  const open = async () => ({ server: await Server.start(), browser: await launchChromium() })
  const stages: [Stage, ...Stage[]] = [await open()]
  try {
    while (stages.length < count) stages.push(await open())
    return await use(stages)
  } finally {
    for (const { server, browser } of stages) {
      await browser.close()
      await server.stop()
    }
  }
}

function checksOn(stage: Stage): readonly Check[] {
  const scene = scenes(stage)
  const { browser } = stage
  return [
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
  ]
}

/**
 * Runs each check on the first stage that is free.
 * @param lists the same checks for each stage
 * @returns the titles of those that failed
 */
async function failuresOf(lists: readonly (readonly Check[])[]): Promise<string[]> {
  const failed: string[] = []
  let next = 0
  const runNext = async (checks: readonly Check[]): Promise<void> => {
    for (let check = checks[next++]; check !== undefined; check = checks[next++])
      if (!(await passes(check))) failed.push(check.title)
  }
  await Promise.all(lists.map(runNext))
  return failed
}

async function passes(check: Check): Promise<boolean> {
  const [{ title, error } = { title: '', error: undefined }] = await runChecks([check])
  print(error === undefined ? `ok      ${title}` : `FAILED  ${title}\n        ${error}`)
  return error === undefined
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
