import { existsSync } from 'node:fs'
import { type Bundle, bundle } from './bundle.js'
import { bundleChecks } from './bundle-checks.js'
import { type Result, runChecks } from './check.js'
import { launchChromium, requireChromium } from './chromium.js'
import { serveFiles } from './file-server.js'
import type { Page } from './page/main.js'
import { servePage } from './page-server.js'
import { sizes } from './sizes.js'

const LONGEST_RUN = 60_000

async function main(): Promise<void> {
  requireChromium()
  requireDistribution()
  const library = await bundle(new URL('./library.ts', import.meta.url))
  const page = await bundle(new URL('./page/index.html', import.meta.url))
  const checks = [...bundleChecks('tasksim and tasksim/msw', library), ...bundleChecks('the page', page)]
  print(sizes('tasksim and tasksim/msw with all that they import', library))
  print(sizes('the page, msw/browser included', page))
  const results = [...(await runChecks(checks)), ...(await runInChromium(page))]
  for (const { title, error } of results)
    print(error === undefined ? `ok      ${title}` : `FAILED  ${title}\n        ${error}`)
  const failed = results.filter(({ error }) => error !== undefined).length
  print(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function requireDistribution(): void {
  if (existsSync(new URL('../../dist/index.js', import.meta.url))) return
  throw new Error('Failed to find dist/: the browser gets the compiled package. Run `npm run build` first.')
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
    await tab.goto(`${server.url}?${new URLSearchParams({ video: files.video, image: files.image })}`)
    const results = await tab.evaluate(() => (globalThis as { page?: Page }).page?.results)
    const error = results === undefined ? ['the page did not start', ...errors] : errors
    return [...(results ?? []), { title: 'no error went unseen', error: error.join('; ') || undefined }]
  } finally {
    await browser.close()
    server.close()
    await files.close()
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
