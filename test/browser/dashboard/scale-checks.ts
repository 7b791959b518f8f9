import type { Page } from 'playwright-core'
import type { Check } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, type Scene, visit } from './stage.js'

const TASKS = 10_000
const AT_ONCE = 32
const FRAMES_PER_SECOND = 55
const LONGEST_TASK = 200
/** A busy machine slows down every page. The dashboard must have this share of the frames of an empty page. */
const SHARE_OF_EMPTY = FRAMES_PER_SECOND / 60
/** The page must be smooth in at least one try. */
const TRIES = 6

interface Measured {
  readonly framesPerSecond: number
  /** 95 % of the frames take at most this many milliseconds: printed, because it depends on the machine. */
  readonly frame: number
  readonly longestTask: number
}

/** Checks a list of ten thousand tasks during scrolling, while a stream of tasks arrives. */
export function scaleChecks(scene: Scene): Check[] {
  return [
    {
      title: `${TASKS} tasks stay smooth: ${FRAMES_PER_SECOND} frames a second, no task of the main thread above ${LONGEST_TASK} ms`,
      longest: 90_000,
      run: scene(async (page, server, figure) => {
        const empty = await page.context().newPage()
        await createMany(server)
        await page.bringToFront()
        await eventually(
          'all of them in the list',
          () => page.locator('.row').first().getAttribute('aria-setsize'),
          (size: string) => Number(size) === TASKS,
        )
        const tries: string[] = []
        for (let number = 0; number < TRIES; number++) {
          await page.bringToFront()
          const measured = await duringStream(server, page)
          await empty.bringToFront()
          const possible = await duringStream(server, empty)
          tries.push(`${textOf(measured)}; an empty page: ${textOf(possible)}`)
          figure(tries.at(-1) ?? '')
          if (isSmooth(measured, possible)) return
        }
        throw new Error(`Expected smooth scrolling, got ${tries.join(' | ')}`)
      }),
    },
    {
      title:
        'a task of 5 MB opens, and shows all of it, in steps that are short compared to the parsing of 5 MB',
      run: scene(openLarge),
    },
  ]
}

/** A step of the page may take this many times as long as to parse 5 MB and to write them again. */
const MOST_PARSES = 4
/** A step with a cause elsewhere, such as a collection of garbage, does not occur each time. */
const OPENINGS = 3

async function openLarge(page: Page, server: Server, figure: (text: string) => void): Promise<void> {
  const image = `data:image/png;base64,${'QUJD'.repeat(1_250_000)}`
  const small = await server.create('acme/image-1', { prompt: 'small' })
  const large = await server.create('acme/image-1', { prompt: 'large', image_urls: [image] })
  await page.evaluate(OBSERVE_TASKS)
  const parse: number = await page.evaluate(PARSE)
  const showAll = page.getByRole('button', { name: /^Show all \(/ })
  const longest = { opening: Infinity, showing: Infinity }
  for (let number = 0; number < OPENINGS; number++) {
    await visit(page, server, `tasks/${small}`)
    await page.getByRole('heading', { name: 'small' }).waitFor()
    await page.evaluate(LONGEST_TASK_SINCE)
    await visit(page, server, `tasks/${large}`)
    await showAll.waitFor()
    longest.opening = Math.min(longest.opening, await page.evaluate(LONGEST_TASK_SINCE))
    await showAll.click()
    await showAll.waitFor({ state: 'detached' })
    longest.showing = Math.min(longest.showing, await page.evaluate(LONGEST_TASK_SINCE))
  }
  const text = `to open ${longest.opening} ms, to show all ${longest.showing} ms; to parse and to write it ${parse} ms`
  figure(text)
  if (Math.max(longest.opening, longest.showing) > MOST_PARSES * parse)
    throw new Error(`Longest tasks: ${text}`)
}

const OBSERVE_TASKS = `
globalThis.tasks = []
new PerformanceObserver((entries) => {
  for (const { duration } of entries.getEntries()) globalThis.tasks.push(duration)
}).observe({ type: 'longtask' })`

/** The longest task of the main thread since the last time; 0 if none took 50 ms. */
const LONGEST_TASK_SINCE = `new Promise((resolve) => {
  setTimeout(() => resolve(Math.round(Math.max(0, ...globalThis.tasks.splice(0)))), 500)
})`

/** How many milliseconds it takes at least to parse 5 MB of JSON and to write them again. */
const PARSE = `(() => {
  const text = JSON.stringify({ image: 'QUJD'.repeat(1_250_000) })
  const times = [1, 2, 3, 4, 5].map(() => {
    const begin = performance.now()
    JSON.stringify(JSON.parse(text), null, 2)
    return performance.now() - begin
  })
  return Math.round(Math.min(...times))
})()`

function isSmooth({ framesPerSecond, longestTask }: Measured, possible: Measured): boolean {
  return (
    framesPerSecond >= SHARE_OF_EMPTY * Math.min(60, possible.framesPerSecond) && longestTask < LONGEST_TASK
  )
}

function textOf({ framesPerSecond, frame, longestTask }: Measured): string {
  return `${framesPerSecond.toFixed(0)} frames a second, 95 % within ${frame.toFixed(1)} ms, longest task ${longestTask.toFixed(0)} ms`
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
async function duringStream(server: Server, page: Page): Promise<Measured> {
  let isMeasuring = true
  const measuring = (page.evaluate(MEASURE) as Promise<Measured>).finally(() => {
    isMeasuring = false
  })
  while (isMeasuring) {
    await Promise.all([1, 2, 3].map((more) => server.create('acme/image-1', { prompt: `${more} more` })))
    await server.advance('100ms')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
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
  let last = begin
  const frames = []
  const step = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    if (list !== null) {
      list.scrollTop += 1500
      if (list.scrollTop + list.clientHeight >= list.scrollHeight) list.scrollTop = 0
    }
    const passed = now - begin
    if (passed < 2000) return requestAnimationFrame(step)
    setTimeout(() => {
      observer.disconnect()
      frames.sort((a, b) => a - b)
      const framesPerSecond = (frames.length / passed) * 1000
      resolve({ framesPerSecond, frame: frames[Math.floor(frames.length * 0.95)], longestTask })
    }, 100)
  }
  requestAnimationFrame(step)
})`
