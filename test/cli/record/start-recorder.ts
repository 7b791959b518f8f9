import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Upstream } from '../../../src/cli/record/proxy/upstream.js'
import { Recorder, type RecorderOptions } from '../../../src/cli/record/recorder.js'
import { Dialects } from '../../../src/dialects/dialects.js'
import type {
  ExchangeEntry,
  FileEntry,
  RecordingEntry,
  RecordingHeader,
  WebhookEntry,
} from '../../../src/record/recording/recording.js'

/** A recorder, and what it has written. */
export interface StartedRecorder {
  readonly recorder: Recorder
  /** The origin for clients. */
  readonly origin: string
  readonly out: string
  /** Stops the recorder, and reads the recording. */
  recorded(): Promise<{
    header: RecordingHeader
    entries: RecordingEntry[]
    exchanges: ExchangeEntry[]
    webhooks: WebhookEntry[]
    files: FileEntry[]
    text: string
  }>
}

/** Starts a recorder in front of a service, which ends with the test. */
export async function startRecorder(
  name: string,
  upstream: string,
  options: Partial<RecorderOptions> = {},
): Promise<StartedRecorder> {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-record-'))
  const dialects = new Dialects()
  const dialect = await dialects.load(name)
  const recorder = await Recorder.start({
    dialect,
    table: undefined,
    upstream: new Upstream(dialect, dialects, upstream),
    out: join(folder, 'recording.jsonl'),
    port: 0,
    host: '127.0.0.1',
    redact: [],
    keepsBodies: true,
    keepsFiles: false,
    publicUrl: undefined,
    poll: 0,
    ...options,
  })
  const out = recorder.file.path
  let closing: Promise<unknown> | undefined
  const close = () => {
    closing ??= recorder.close()
    return closing
  }
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { recorder, origin: recorder.origin, out, recorded }

  async function recorded() {
    await close()
    const text = readFileSync(out, 'utf8')
    const [header, ...entries] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const of = (type: RecordingEntry['type']) => entries.filter((entry) => entry.type === type)
    return {
      header,
      entries,
      exchanges: of('exchange'),
      webhooks: of('webhook'),
      files: of('file'),
      text,
    }
  }
}

/** Starts a recorder that the service reaches under another name than its clients. */
export async function startTunneled(name: string, upstream: string): Promise<StartedRecorder> {
  const port = await freePort()
  return startRecorder(name, upstream, { port, publicUrl: `http://localhost:${port}`, host: 'localhost' })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
