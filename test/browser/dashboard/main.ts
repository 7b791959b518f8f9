/**
 * Checks the dashboard in Chromium against a real server. With `--screenshot` it takes the README picture instead.
 */
import type { Check, Result } from '../../support/check.js'
import { harness, runOnLanes } from '../../support/runner.js'
import { requireDistribution } from '../../support/server.js'
import { launchChromium, requireChromium } from '../chromium.js'
import { addressChecks } from './address-checks.js'
import { againChecks } from './again-checks.js'
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

/** In milliseconds. */
const LONGEST = { run: 1_800_000, check: 60_000 }
/** A check waits for the page most of the time, but keeps the rest of a core busy. Machines for CI have two cores. */
const AT_ONCE = 2

async function main([argument]: readonly string[]): Promise<readonly Result[] | undefined> {
  requireChromium()
  requireDistribution()
  if (argument === '--screenshot') {
    await onStages(1, ([{ browser, server }]) => takeScreenshot(browser, server))
    return undefined
  }
  const isChosen = ({ title }: Check) => argument === undefined || title.includes(argument)
  const first = await onStages(AT_ONCE, (stages) =>
    run(stages.map((stage) => checksOn(stage).filter(isChosen))),
  )
  const late = first.filter(({ error }) => error !== undefined).map(({ title }) => title)
  // A check that was too late beside another one runs again alone, and so does the measurement of frames.
  const alone = await onStages(1, ([stage]) => {
    const again = checksOn(stage).filter(({ title }) => late.includes(title))
    return run([[...again, ...scaleChecks(scenes(stage)).filter(isChosen)]])
  })
  return [...first.filter(({ title }) => !late.includes(title)), ...alone]
}

function run(lanes: readonly (readonly Check[])[]): Promise<Result[]> {
  return runOnLanes(lanes, { longest: LONGEST.check, isRetried: true })
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
    ...weightChecks(),
    ...taskChecks(scene),
    ...webhookChecks(scene),
    ...deliveryChecks(scene),
    ...againChecks(scene),
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

await harness('test:browser', LONGEST.run, main)
