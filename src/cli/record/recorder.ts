import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from '../../dialects/dialect.js'
import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { endsWithin } from '../../engine/clock/in-flight.js'
import { UsageError } from '../../engine/errors.js'
import { failure } from '../../hosts/api.js'
import { controlPolicy } from '../../hosts/express/access.js'
import { bind } from '../../hosts/express/bind.js'
import { createServer } from '../../hosts/express/create-server.js'
import { createApp, type SimulatorApp } from '../../hosts/express/index.js'
import type { PassedExchange, PassedRequest } from '../../record/recording/passed-exchange.js'
import { type PassedFile, Redactor } from '../../record/recording/redact/redactor.js'
import type { Simulator } from '../../simulator/simulator.js'
import { Mirror } from './mirror/mirror.js'
import { OutputDownloads } from './output-downloads.js'
import { OwnPolls, ownExchange } from './own-polls.js'
import { createAdmission } from './proxy/admission.js'
import { targetOf } from './proxy/message.js'
import { LONGEST_HEAD } from './proxy/send.js'
import { ServiceProxy } from './proxy/service-proxy.js'
import type { Upstream } from './proxy/upstream.js'
import { RecordingFile } from './recording-file.js'
import { Tally } from './tally.js'
import { replaceWebhooks } from './webhooks/replace-webhooks.js'
import { WEBHOOK_PATH, WebhookAddresses } from './webhooks/webhook-addresses.js'
import { relayWebhook } from './webhooks/webhook-relay.js'

/** What a recorder records, and how. */
export interface RecorderOptions {
  readonly dialect: Dialect
  /** Its description, if it is not built in. */
  readonly table: DialectTable | undefined
  readonly upstream: Upstream
  /** The path of the recording. */
  readonly out: string
  readonly port: number
  readonly host: string
  /** The fields whose values are not recorded, such as `input.prompt`. */
  readonly redact: readonly string[]
  /** Whether the texts of inputs and outputs are recorded. */
  readonly keepsBodies: boolean
  /** Whether output files are downloaded and recorded. */
  readonly keepsFiles: boolean
  /** The URL of a tunnel to the proxy, for webhooks. */
  readonly publicUrl: string | undefined
  /** Milliseconds without a request about a task until tasksim polls it; 0 for never. */
  readonly poll: number
}

/** Milliseconds in which exchanges may end when the recorder stops. */
const GRACE = 2_000
const LIMITS = { requestTimeout: 0, maxHeaderSize: LONGEST_HEAD }

/** A proxy to the real service that records what passes through it. */
export class Recorder {
  readonly file: RecordingFile
  readonly tally: Tally
  readonly sim: Simulator
  /** The token of the control API; undefined if it needs none. */
  readonly controlToken: string | undefined
  readonly #options: RecorderOptions
  readonly #mirror: Mirror
  readonly #redactor: Redactor
  readonly #addresses: WebhookAddresses | undefined
  readonly #polls: OwnPolls | undefined
  readonly #downloads: OutputDownloads | undefined
  readonly #proxy: ServiceProxy
  readonly #app: SimulatorApp
  readonly #server: Server
  readonly #running = new Set<Promise<void>>()
  readonly #stopped = new AbortController()

  private constructor(options: RecorderOptions, file: RecordingFile, mirror: Mirror) {
    const { dialect, upstream, publicUrl, host } = options
    this.#options = options
    this.file = file
    this.#mirror = mirror
    this.sim = mirror.sim
    this.tally = new Tally(dialect)
    this.#redactor = new Redactor(dialect, file.header, options.keepsFiles)
    this.#addresses = publicUrl === undefined ? undefined : new WebhookAddresses(publicUrl, file.header.salt)
    const onFailure = (message: string) => this.#report(message)
    const add = (passed: PassedFile) => file.append(this.#redactor.file(passed))
    this.#downloads = options.keepsFiles
      ? new OutputDownloads({ dialect, upstream, add, onFailure })
      : undefined
    this.#polls = options.poll > 0 ? this.#createPolls(options.poll) : undefined
    const reject = (path: string, problem: Parameters<typeof failure>[2]) => failure(this.sim, path, problem)
    this.#proxy = new ServiceProxy({
      dialect,
      upstream,
      check: createAdmission(host, publicUrl),
      publicUrl,
      addresses: this.#addresses,
      onExchange: (passed) => this.#seeExchange(passed),
      reject,
      onFailure,
    })
    // A tunnel makes the control API reachable from anywhere.
    const token = publicUrl === undefined ? undefined : randomUUID()
    const control = controlPolicy(host, { controlToken: token })
    this.controlToken = control.token
    this.#app = createApp(this.sim, { control })
    this.#server = createServer(this.sim, (request, response) => this.#handle(request, response), LIMITS)
    file.onError(onFailure)
  }

  /**
   * Starts a proxy.
   * @throws UsageError if the file or the address cannot be used
   */
  static async start(options: RecorderOptions): Promise<Recorder> {
    const { dialect, table, upstream, out, redact, keepsBodies, publicUrl, port, host } = options
    // Checks the fields before a file is written.
    new Redactor(dialect, { upstream: upstream.origins, salt: '', redact })
    const file = await RecordingFile.open(out, {
      dialect: dialect.name,
      ...(table !== undefined && { table }),
      upstream: upstream.origins,
      ...(redact.length > 0 && { redact }),
      ...(!keepsBodies && { bodies: false }),
    })
    const [first = ''] = upstream.origins
    const seesWebhooks = publicUrl !== undefined
    const mirror = await Mirror.open({
      dialect: dialect.name,
      table,
      upstream: first,
      file: out,
      seesWebhooks,
    })
    const recorder = new Recorder(options, file, mirror)
    try {
      await bind(recorder.#server, port, host)
    } catch (error) {
      mirror.close()
      await file.close()
      throw error
    }
    return recorder
  }

  /** The origin of the proxy. */
  get origin(): string {
    const { family, address, port } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  }

  /**
   * Stops: lets exchanges end for a moment, and writes everything to the file.
   * @returns the number of findings about the client
   */
  async close(): Promise<number> {
    this.#polls?.stop()
    this.#server.close()
    await endsWithin(GRACE, this.#settled())
    this.#stopped.abort()
    this.#server.closeAllConnections()
    await endsWithin(GRACE, this.#settled())
    await this.file.close()
    const findings = await this.sim.findings()
    this.#mirror.close()
    return findings.length
  }

  async #settled(): Promise<void> {
    await Promise.allSettled(this.#running)
    await Promise.all([this.#downloads?.settled(), this.#mirror.settled()])
  }

  #seeExchange(passed: PassedExchange): void {
    this.#guard(() => this.file.append(this.#redactor.exchange(passed)))
    this.tally.exchange(passed)
    this.#mirror.exchange(passed)
    this.#guard(() => this.#downloads?.exchange(passed))
    this.#guard(() => this.#polls?.exchange(passed))
  }

  #seeWebhook(passed: PassedExchange): void {
    this.#guard(() => this.file.append(this.#redactor.webhook(passed)))
    this.tally.webhooks += 1
    this.#mirror.webhook(passed)
  }

  /** A mistake in the record must not disturb the client. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.sim.events.emit('error', error)
    }
  }

  #createPolls(interval: number): OwnPolls {
    const { dialect } = this.#options
    return new OwnPolls({
      dialect,
      interval,
      hasOpen: (text) => this.#proxy.hasOpen(text),
      isAnnounced: (create) => this.#isAnnounced(create),
      send: (request) => {
        const sent = ownExchange(request, this.#addresses?.toReceivers ?? [], this.#stopped.signal)
        const seen = sent.then((passed) => this.#seeExchange(passed))
        this.#track(seen)
        return sent
      },
    })
  }

  /** Whether webhooks about a task pass through the proxy. */
  #isAnnounced({ method, url, headers, body }: PassedRequest): boolean {
    if (this.#addresses === undefined) return false
    const request = { method, url, headers, body: Buffer.from(body) }
    const edited = replaceWebhooks(request, this.#options.dialect, this.#addresses)
    return edited.url !== url || edited.headers !== headers || !edited.body.equals(body)
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { path } = targetOf(request, this.#options.publicUrl)
    const receiver = path.startsWith(WEBHOOK_PATH) ? this.#addresses?.receiverOf(path) : undefined
    if (receiver !== undefined)
      this.#track(
        relayWebhook(request, response, receiver, (passed) => this.#seeWebhook(passed)),
        response,
      )
    else if (/^\/_sim(?:\/|$)/.test(path) || isForPage(request)) this.#app(request, response)
    else this.#track(this.#proxy.pass(request, response), response)
  }

  #track(work: Promise<void>, response?: ServerResponse): void {
    const ended = work
      .catch((error: unknown) => {
        // A client that disconnects is not an error.
        if (response?.destroyed !== true) this.sim.events.emit('error', error)
        response?.destroy()
      })
      .finally(() => this.#running.delete(ended))
    this.#running.add(ended)
  }

  #report(message: string): void {
    this.sim.events.emit('error', new UsageError(message))
  }
}

/** Whether a browser asks for the dashboard. */
function isForPage({ url, method, headers }: IncomingMessage): boolean {
  return url === '/' && method === 'GET' && headers.accept?.includes('text/html') === true
}
