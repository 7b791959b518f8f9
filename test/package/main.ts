/**
 * Checks the package that users get: packs it and checks its contents, installs it alone and for the examples, runs
 * these, and bundles it for browsers. `npm run test:package -- contents bundle` runs a part of it.
 */
import { bundleSizeChecks } from './bundle-size.js'
import { consumerChecks } from './consumers.js'
import { contentChecks } from './contents.js'
import { dockerChecks } from './docker.js'
import { exampleChecks } from './examples.js'
import { installChecks } from './install.js'
import { jestChecks } from './jest.js'
import { optionalChecks } from './optional.js'
import { type Packed, pack } from './pack.js'
import { tidyUp } from './workshop.js'

let tarball: Packed | undefined
/** Packs once, on first use. */
const packed = () => {
  tarball ??= pack()
  return tarball
}

const PARTS = {
  contents: contentChecks,
  bundle: bundleSizeChecks,
  install: installChecks,
  optional: optionalChecks,
  consumers: consumerChecks,
  jest: jestChecks,
  docker: dockerChecks,
  examples: exampleChecks,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}.`)

let passed = 0
let failed = 0
try {
  for (const [name, checks] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const [title, check] of Object.entries(checks(packed))) await runCheck(title, check)
  }
} finally {
  tidyUp()
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function runCheck(title: string, check: () => Promise<void> | void): Promise<void> {
  const begin = performance.now()
  try {
    await check()
    passed += 1
    process.stdout.write(`ok   ${title} (${((performance.now() - begin) / 1_000).toFixed(1)} s)\n`)
  } catch (error) {
    failed += 1
    process.stdout.write(`FAIL ${title}\n${error instanceof Error ? error.message : error}\n`)
  }
}
