/**
 * Checks the package that users get: packs it and checks its contents, installs it alone and for the examples, runs
 * these, and bundles it for browsers. `npm run test:package -- contents bundle` runs a part of it.
 */
import type { Result } from '../support/check.js'
import { harness, runChecks, titled } from '../support/runner.js'
import { bundleSizeChecks } from './bundle-size.js'
import { consumerChecks } from './consumers.js'
import { contentChecks } from './contents.js'
import { dockerChecks } from './docker.js'
import { exampleChecks } from './examples.js'
import { installChecks } from './install.js'
import { jestChecks } from './jest.js'
import { optionalChecks } from './optional.js'
import { type Packed, pack } from './pack.js'
import { publishChecks } from './publish.js'

let tarball: Packed | undefined
/** Packs once, on first use. */
const packed = () => {
  tarball ??= pack()
  return tarball
}

const PARTS = {
  contents: contentChecks,
  publish: publishChecks,
  bundle: bundleSizeChecks,
  install: installChecks,
  optional: optionalChecks,
  consumers: consumerChecks,
  jest: jestChecks,
  docker: dockerChecks,
  examples: exampleChecks,
}

/** In milliseconds: an installation, and the tests of an example, take minutes. */
const LONGEST = { run: 7_200_000, check: 1_200_000 }

await harness('test:package', LONGEST.run, async (words) => {
  const unknown = words.filter((name) => !Object.hasOwn(PARTS, name))
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}.`)
  const parts = Object.entries(PARTS).filter(([name]) => words.length === 0 || words.includes(name))
  const results: Result[] = []
  // A part may look at what an earlier one has installed.
  for (const [, checksOf] of parts)
    results.push(...(await runChecks(titled(checksOf(packed)), { longest: LONGEST.check })))
  return results
})
