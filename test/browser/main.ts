import type { Result } from '../support/check.js'
import { harness, print, report, runChecks } from '../support/runner.js'
import { requireDistribution } from '../support/server.js'
import { type Bundle, bundle } from './bundle.js'
import { bundleChecks } from './bundle-checks.js'
import { launchChromium, requireChromium } from './chromium.js'
import { serveFiles } from './file-server.js'
import type { Page } from './page/main.js'
import { servePage } from './page-server.js'
import { sizes } from './sizes.js'

/** In milliseconds. */
const LONGEST = { run: 180_000, check: 60_000 }

async function main(): Promise<readonly Result[]> {
  requireChromium()
  requireDistribution()
  const library = await bundle(new URL('./library.ts', import.meta.url))
  const page = await bundle(new URL('./page/index.html', import.meta.url))
  const checks = [...bundleChecks('tasksim and tasksim/msw', library), ...bundleChecks('the page', page)]
  print(sizes('tasksim and tasksim/msw with all that they import', library))
  print(sizes('the page, msw/browser included', page))
  const results = await runChecks(checks, { longest: LONGEST.check })
  const inPage = await runInChromium(page)
  inPage.forEach(report)
  return [...results, ...inPage]
}

/** Returns the results of the checks in the page, and of a last check for unexpected errors. */
async function runInChromium(bundle: Bundle): Promise<Result[]> {
  const server = await servePage(bundle)
  const files = await serveFiles()
  const browser = await launchChromium()
  try {
    const tab = await browser.newPage()
    const errors: string[] = []
    tab.on('pageerror', ({ message }) => errors.push(message))
    await tab.goto(`${server.origin}/?${new URLSearchParams({ video: files.video, image: files.image })}`)
    const results = await tab.evaluate(() => (globalThis as { page?: Page }).page?.results)
    const error = results === undefined ? ['the page did not start', ...errors] : errors
    return [
      ...(results ?? []),
      { title: 'no error went unseen', error: error.join('; ') || undefined, seconds: 0 },
    ]
  } finally {
    await browser.close()
    server.close()
    await files.close()
  }
}

await harness('test:browser', LONGEST.run, main)
