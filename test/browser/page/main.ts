import { runChecks } from '../check.js'
import { apiChecks } from './api-checks.js'
import { mediaChecks } from './media-checks.js'
import { startWorker } from './mocked-api.js'
import { recordingChecks } from './recording-checks.js'
import { serverChecks } from './server-checks.js'
import { webhookChecks } from './webhook-checks.js'

/** The type of the page, for the test in Node. */
export type Page = typeof page

const page = {
  results: startWorker().then(() =>
    runChecks([...apiChecks, ...recordingChecks, ...mediaChecks, ...serverChecks, ...webhookChecks]),
  ),
}

Object.assign(globalThis, { page })
