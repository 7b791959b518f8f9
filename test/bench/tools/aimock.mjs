// aimock with a job of fal that does not end. Its command line has no option for that.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder, port] = process.argv
const { LLMock } = createRequire(join(folder, 'package.json'))('@copilotkit/aimock')
const falQueue = { pollsBeforeInProgress: 1, pollsBeforeCompleted: Number.MAX_SAFE_INTEGER }
const mock = new LLMock({ port: Number(port), falQueue, logLevel: 'silent' })
mock.onFalImage(/.*/, { images: [{ url: 'https://example.com/a.png' }] })
await mock.start()
