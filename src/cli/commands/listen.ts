import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Dialect } from '../../dialects/dialect.js'
import { type SignatureCheck, verifyWebhook } from '../../engine/webhooks/signing/sign-attempt.js'
import { bind } from '../../hosts/express/bind.js'
import { shippedScenario } from '../../scenario/shipped.js'
import { type BodyFields, fieldsOfWebhook } from '../body-fields.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'
import { addressOptions, checkPort } from '../options/address-options.js'
import { dialectOption } from '../options/dialect-option.js'
import { secretOption } from '../options/secret-option.js'
import { colors, flush, print } from '../output.js'
import { stopSignal } from '../signals.js'

interface ListenArguments {
  port: number
  host: string
  respond: string
  count: number
  'webhook-secret': string | undefined
  dialect: string | undefined
  json: boolean
}

/** Runs a webhook receiver that prints what it receives. */
export const listenCommand: LazyCommand<ListenArguments> = {
  builder: (yargs) =>
    yargs
      .options(addressOptions(4011))
      .option('respond', {
        type: 'string',
        default: '200',
        describe: 'Status of the response, or a comma-separated list; the last one repeats',
      })
      .option('count', {
        type: 'number',
        requiresArg: true,
        default: Infinity,
        defaultDescription: 'unlimited',
        describe: 'Exit after this many webhooks',
      })
      .option('dialect', dialectOption)
      .option('webhook-secret', secretOption())
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON lines' })
      .example(
        '$0 listen --port 3000 --respond 500,500,200 --count 3',
        'Reject two webhooks, accept one, then exit',
      )
      .check(({ respond, port, count }) => {
        if (!/^[2-5]\d\d(?:,[2-5]\d\d)*$/.test(respond))
          throw new CommandLineError(
            `--respond must be one status from 200 to 599 or a comma-separated list; got ${respond}.`,
          )
        checkPort('--port', port)
        if (!(count >= 1)) throw new CommandLineError(`--count must be a number of at least 1; got ${count}.`)
        return true
      }),
  async handler({ port, host, respond, count, dialect: given, 'webhook-secret': secret, json }) {
    const { dialect } = await loadGivenDialect(given)
    let remaining = count
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const server = receiverServer({
      dialect,
      secret,
      statuses: respond.split(',').map(Number),
      onReceived: (received) => {
        print(json ? JSON.stringify(received) : describe(received))
        remaining -= 1
        if (remaining <= 0) finish()
      },
    })
    const { port: actual } = await bind(server, port, host)
    print(json ? JSON.stringify({ type: 'ready', port: actual }) : `Listening on http://${host}:${actual}/`)
    await Promise.race([finished, stopSignal()])
    server.close()
    server.closeIdleConnections()
    flush()
  },
}

const SIGNATURES = {
  right: 'valid signature',
  wrong: 'invalid signature',
  missing: 'no signature',
  unsigned: 'not signed by this service',
} as const

function describe({ event, task_id: taskId, signature, status, body }: Received): string {
  const isFine = signature === 'right' || signature === 'unsigned'
  const check = (isFine ? colors.green : colors.red)(SIGNATURES[signature])
  return `${event ?? 'no event'} ${taskId ?? ''} ${check} -> ${status}\n${colors.dim(body)}`
}

/** A received webhook and its response. */
export interface Received extends BodyFields {
  readonly type: 'webhook'
  readonly signature: SignatureCheck
  /** The status of the response. */
  readonly status: number
  readonly body: string
}

interface ReceiverOptions {
  /** The format of the webhooks. */
  readonly dialect: Dialect
  /** The signing secret; that of the dialect if undefined. */
  readonly secret: string | undefined
  /** The statuses of the responses, in order; the last one repeats. */
  readonly statuses: readonly number[]
  readonly onReceived: (received: Received) => void
}

/** Creates a webhook receiver that reports every request. */
export function receiverServer({ dialect, secret, statuses, onReceived }: ReceiverOptions): Server {
  const format = dialect.webhooks(shippedScenario('default'))
  let count = 0
  return createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    const status = statuses[Math.min(count, statuses.length - 1)] ?? 200
    count += 1
    response.writeHead(status).end()
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const received = { headers, body: new Uint8Array(body) }
    onReceived({
      type: 'webhook',
      ...fieldsOfWebhook(body, dialect),
      signature: await verifyWebhook(format, received, secret ?? format.secret),
      status,
      body: String(body),
    })
  })
}
