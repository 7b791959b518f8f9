import { type Result, runCheck } from '../../support/check.js'
import { apiChecks } from './api-checks.js'
import { mediaChecks } from './media-checks.js'
import { startWorker } from './mocked-api.js'
import { recordingChecks } from './recording-checks.js'
import { serverChecks } from './server-checks.js'
import { webhookChecks } from './webhook-checks.js'

/** The type of the page, for the test in Node. */
export type Page = typeof page

const CHECKS = [...apiChecks, ...recordingChecks, ...mediaChecks, ...serverChecks, ...webhookChecks]

const page = { results: runAll() }

async function runAll(): Promise<Result[]> {
  await startWorker()
  const results: Result[] = []
  for (const check of CHECKS) results.push(await runCheck(check, { longest: 30_000, isRetried: true }))
  return results
}

Object.assign(globalThis, { page })
