import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findScenario } from '../../../src/cli/files/find-scenario.js'
import { listen } from '../../../src/hosts/express/index.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { type Check, expectEqual } from '../../support/check.js'

/** An SVG with its own style that resets the simulator if the browser allows it. */
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
<style>rect { fill: rgb(0, 128, 0) }</style><rect width="64" height="64"/>
<script>document.documentElement.id = 'ran'; fetch('/_sim/reset', { method: 'POST' })</script>
</svg>`
const SCENARIO = 'defaults: { delay: 1s }\nmodels:\n  acme/drawing: { kind: image, files: ./hostile.svg }\n'

interface Seen {
  readonly origin: string
  readonly rootId: string
  readonly fill: string | undefined
  readonly width: number | undefined
  readonly duration: number | undefined
}

/** Checks how a browser treats output files that it opens as pages. */
export function fileChecks(browser: Browser): Check[] {
  return [
    {
      title: 'a file that is opened as a page is shown in an origin of its own, and its scripts do not run',
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'tasksim-'))
        writeFileSync(join(folder, 'hostile.svg'), HOSTILE_SVG)
        writeFileSync(join(folder, 'scenario.yaml'), SCENARIO)
        const { scenario } = await findScenario(join(folder, 'scenario.yaml'))
        const sim = new Simulator(scenario, { clock: 'manual' })
        const { baseUrl, close } = await listen(sim, { port: 0 })
        const page = await browser.newPage()
        try {
          const open = (model: string) => openOutput(page, sim, baseUrl, model)
          for (const seen of await open('acme/drawing'))
            expectEqual('the drawing', [seen.origin, seen.rootId, seen.fill], ['null', '', 'rgb(0, 128, 0)'])
          for (const seen of await open('acme/image-1')) expectEqual('the width', seen.width, 1024)
          for (const seen of await open('acme/video-1')) expectEqual('the seconds', seen.duration, 5)
          for (const seen of await open('acme/audio-1'))
            expectEqual('whether it plays', (seen.duration ?? 0) > 0, true)
          expectEqual('the tasks', sim.counters.created, 4)
        } finally {
          await page.close()
          await close()
          sim.close()
          rmSync(folder, { recursive: true })
        }
      },
    },
  ]
}

/** Opens the output of a new task by its signed URL, and by the control API. */
async function openOutput(page: Page, sim: Simulator, baseUrl: string, model: string): Promise<Seen[]> {
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
  const body = JSON.stringify({ model, input: { prompt: 'waves', duration: 5 } })
  const created = await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { id: string }
  await sim.clock.advance('5m')
  const task = await fetch(`${baseUrl}/tasks/${id}`, { headers })
  const { output } = (await task.json()) as { output: Record<string, string | string[]> }
  const [url = ''] = Object.values(output).flat()
  const seen: Seen[] = []
  for (const target of [url, new URL(`/_sim/tasks/${id}/files/0`, baseUrl).href]) {
    await page.goto(target)
    seen.push(await look(page))
  }
  return seen
}

/** Runs in the page. It is a text because the project compiles without browser types. */
const LOOK = `(async () => {
  const media = document.querySelector('video, audio')
  if (media !== null && media.readyState === 0)
    await new Promise((resolve) => media.addEventListener('loadedmetadata', resolve))
  const shape = document.querySelector('rect')
  return {
    origin: self.origin,
    rootId: document.documentElement.id,
    fill: shape === null ? undefined : getComputedStyle(shape).fill,
    width: document.querySelector('img')?.naturalWidth,
    duration: media?.duration,
  }
})()`

function look(page: Page): Promise<Seen> {
  return page.evaluate(LOOK)
}
