import { bind } from '../../hosts/express/bind.js'
import { LOCAL_SIGNING_SECRET } from '../../scenario/language/layers/complete.js'
import { misuse } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'
import { colors, flush, print } from '../output.js'
import { type Received, receiverServer } from '../receiver-server.js'
import { stopSignal } from '../signals.js'
import { secretOption } from '../simulator-options.js'

interface ListenArguments {
  port: number
  host: string
  respond: string
  count: number
  'webhook-secret': string | undefined
  json: boolean
}

/** A webhook receiver to look at what is sent. */
export const listenCommand: LazyCommand<ListenArguments> = {
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        alias: 'p',
        requiresArg: true,
        default: 4011,
        describe: 'Port to listen on; 0 picks one',
      })
      .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
      .option('respond', {
        type: 'string',
        default: '200',
        describe: 'Status to answer with, or several with commas; the last one goes on',
      })
      .option('count', {
        type: 'number',
        requiresArg: true,
        default: Infinity,
        defaultDescription: 'never',
        describe: 'End after so many',
      })
      .option('webhook-secret', secretOption())
      .option('json', { type: 'boolean', default: false, describe: 'Print lines of JSON' })
      .example('$0 listen --port 3000 --respond 500,500,200 --count 3', 'Refuse twice, then accept, then end')
      .check(({ respond, port, count }) => {
        if (!/^[2-5]\d\d(?:,[2-5]\d\d)*$/.test(respond))
          throw misuse(`--respond must be statuses from 200 to 599 with commas between them; got ${respond}.`)
        if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
          throw misuse('--port must be a whole number from 0 to 65535.')
        if (!(count >= 1)) throw misuse('--count must be a whole number from 1 up.')
        return true
      }),
  async handler({ port, host, respond, count, 'webhook-secret': secret = LOCAL_SIGNING_SECRET, json }) {
    let left = count
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const server = receiverServer({
      secret,
      statuses: respond.split(',').map(Number),
      onReceived: (received) => {
        print(json ? JSON.stringify(received) : describe(received))
        left -= 1
        if (left <= 0) end()
      },
    })
    const { port: actual } = await bind(server, port, host)
    print(json ? JSON.stringify({ type: 'ready', port: actual }) : `listening on http://${host}:${actual}/`)
    await Promise.race([ended, stopSignal()])
    server.close()
    server.closeIdleConnections()
    flush()
  },
}

function describe({ event, task_id: taskId, signature, status, body }: Received): string {
  const verdict =
    signature === 'right' ? colors.green('signature right') : colors.red(`signature ${signature}`)
  return `${event ?? 'no event'} ${taskId ?? ''} ${verdict} -> ${status}\n${colors.dim(body)}`
}
