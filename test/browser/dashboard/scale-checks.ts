import type { Page } from 'playwright-core'
import type { Check } from '../check.js'
import type { Server } from './server.js'
import { eventually, type Scene } from './stage.js'

const TASKS = 10_000
const AT_ONCE = 32
const SLOWEST_FRAMES = 30
const LONGEST_TASK = 200
/** Other work on the machine may disturb a try. The page must scroll smoothly in at least one. */
const TRIES = 4

interface Measured {
  readonly framesPerSecond: number
  readonly longestTask: number
}

/** Checks a list of ten thousand tasks while more arrive during scrolling. */
export function scaleChecks(scene: Scene, print: (text: string) => void): Check[] {
  return [
    {
      title: `${TASKS} tasks stay smooth: above ${SLOWEST_FRAMES} frames a second, no task of the main thread above ${LONGEST_TASK} ms`,
      longest: 90_000,
      run: scene(async (page, server) => {
        await createMany(server)
        await eventually(
          'all of them in the list',
          () => page.locator('.row').first().getAttribute('aria-setsize'),
          (size: string) => Number(size) === TASKS,
        )
        let best: Measured | undefined
        for (let tries = 0; tries < TRIES; tries++) {
          const measured = await scrollThrough(page, server)
          print(
            `        ${measured.framesPerSecond.toFixed(0)} frames a second, longest task ${measured.longestTask.toFixed(0)} ms`,
          )
          if (best === undefined || isSmoother(measured, best)) best = measured
          if (isSmooth(best)) return
        }
        throw new Error(`Expected smooth scrolling, got ${JSON.stringify(best)} at best`)
      }),
    },
  ]
}

function isSmooth({ framesPerSecond, longestTask }: Measured): boolean {
  return framesPerSecond > SLOWEST_FRAMES && longestTask < LONGEST_TASK
}

function isSmoother(a: Measured, b: Measured): boolean {
  return isSmooth(a) || a.framesPerSecond - a.longestTask / 10 > b.framesPerSecond - b.longestTask / 10
}

async function createMany(server: Server): Promise<void> {
  let made = 0
  const work = async () => {
    while (made < TASKS) {
      made += 1
      await server.create(made % 3 === 0 ? 'acme/video-1' : 'acme/image-1', {
        prompt: `picture number ${made}`,
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Scrolls through the list for two seconds while tasks are created and end. */
async function scrollThrough(page: Page, server: Server): Promise<Measured> {
  const measuring = page.evaluate(MEASURE) as Promise<Measured>
  for (let more = 0; more < 5; more++) await server.create('acme/image-1', { prompt: 'one more' })
  await server.advance('1s')
  return measuring
}

const MEASURE = `new Promise((resolve) => {
  const list = document.querySelector('[data-list]')
  let longestTask = 0
  const observer = new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) longestTask = Math.max(longestTask, duration)
  })
  observer.observe({ type: 'longtask' })
  const begin = performance.now()
  let frames = 0
  const step = () => {
    frames += 1
    list.scrollTop += 1500
    if (list.scrollTop + list.clientHeight >= list.scrollHeight) list.scrollTop = 0
    const passed = performance.now() - begin
    if (passed < 2000) return requestAnimationFrame(step)
    setTimeout(() => {
      observer.disconnect()
      resolve({ framesPerSecond: (frames / passed) * 1000, longestTask })
    }, 100)
  }
  requestAnimationFrame(step)
})`
