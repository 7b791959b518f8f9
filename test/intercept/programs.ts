import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { type Check, expectEqual, expectThat } from '../support/check.js'
import { execIntercepted, outcomesIn } from './exec.js'
import { clientFile, type Runtimes } from './runtimes.js'

/** Starts the client of its arguments in a child, a fork, a worker and a shell. */
const NODE_CHILDREN = `
const { execFileSync, execSync, fork } = require('node:child_process')
const { Worker } = require('node:worker_threads')
const { once } = require('node:events')
const [client] = process.argv.slice(1)
process.stdout.write(execFileSync(process.execPath, [client, 'https']))
process.stdout.write(execSync(JSON.stringify(process.execPath) + ' ' + JSON.stringify(client) + ' fetch'))
once(fork(client, ['got']), 'exit').then(() => new Worker(client, { argv: ['undici'] }))
`
const PYTHON_CHILDREN = `
import subprocess, sys
subprocess.run([sys.executable, sys.argv[1], "urllib"], check=True)
subprocess.run(["sh", "-c", 'exec "$0" "$1" http.client', sys.executable, sys.argv[1]], check=True)
`

/** Checks of the ways in which a command starts programs, and of what the user's environment already has. */
export function processChecks({ python, client }: Runtimes): readonly Check[] {
  const { execPath: node } = process
  return [
    {
      title: 'children, forks and workers of Node reach tasksim',
      async run() {
        const run = await execIntercepted([node, '-e', NODE_CHILDREN, client])
        expectEqual('the outcomes', outcomesIn(run), { https: 'ok', fetch: 'ok', got: 'ok', undici: 'ok' })
      },
    },
    {
      title: 'children of Python reach tasksim',
      async run() {
        const run = await execIntercepted([python, '-c', PYTHON_CHILDREN, clientFile('client.py')])
        expectEqual('the outcomes', outcomesIn(run), { urllib: 'ok', 'http.client': 'ok' })
      },
    },
    {
      title: 'a command that replaces its environment does not reach tasksim, and the report says so',
      async run() {
        const run = await execIntercepted(['env', '-i', node, client, 'fetch'])
        expectThat(outcomesIn(run)['fetch'] !== 'ok', 'Expected that the client finds no service')
        expectThat(run.ids.includes('no-requests'), `Expected the line no-requests, got ${run.ids}`)
      },
    },
    {
      title: "the user's settings stay: NODE_OPTIONS, PYTHONPATH, NO_PROXY and certificates",
      async run() {
        const env = {
          NODE_OPTIONS: '--max-http-header-size=9000',
          NO_PROXY: 'corp.example',
          PYTHONPATH: '/nowhere',
        }
        const script = 'printf "%s\\n" "$NODE_OPTIONS" "$PYTHONPATH" "$NO_PROXY"'
        const { stdout } = await execIntercepted(['sh', '-c', script], { env })
        expectThat(
          /^--max-http-header-size=9000 --require .*\n\/.*:\/nowhere\ncorp\.example,localhost/.test(stdout),
          stdout,
        )
      },
    },
    {
      title: 'hosts of no service are refused, in every runtime, and named',
      async run() {
        const call = "fetch('https://api.stripe.com').catch(({ cause }) => console.log(cause.message))"
        const inNode = await execIntercepted([node, '-e', call])
        expectThat(inNode.stdout.includes('--intercept-allow api.stripe.com'), inNode.stdout)
        expectEqual('the refused hosts', inNode.refused, { 'api.stripe.com:443': 1 })
        const inPython =
          "import http.client; http.client.HTTPSConnection('api.stripe.com').request('GET', '/')"
        const { refused, stderr } = await execIntercepted([python, '-c', inPython])
        expectThat(stderr.includes('--intercept-allow api.stripe.com'), stderr)
        expectEqual('the refused hosts', refused, { 'api.stripe.com:443': 1 })
        const byProxy = await execIntercepted(['curl', '-s', 'https://api.stripe.com'])
        expectEqual('the refused hosts', byProxy.refused, { 'api.stripe.com:443': 1 })
      },
    },
    {
      title: "a user's proxy gets what --intercept-allow names, and nothing else",
      async run() {
        const proxy = await startProxy()
        try {
          const script = `
            "$0" "$1" fetch
            curl -s https://corp.example; curl -s https://api.stripe.com; true`
          const run = await execIntercepted(['sh', '-c', script, node, client], {
            env: { HTTPS_PROXY: proxy.url },
            options: ['--intercept-allow', '*.example'],
          })
          expectEqual('the outcomes', outcomesIn(run), { fetch: 'ok' })
          expectEqual('what the proxy got', proxy.asked, ['corp.example:443 Basic dXNlcjpwYXNz'])
          expectEqual('the refused hosts', run.refused, { 'api.stripe.com:443': 1 })
        } finally {
          proxy.close()
        }
      },
    },
  ]
}

/** Starts a proxy that connects every client to itself, and notes what it was asked for. */
async function startProxy() {
  const asked: string[] = []
  const server = createServer()
    .on('connect', (request, socket: Socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization']}`)
      const { port } = server.address() as AddressInfo
      const far = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      far.on('error', () => socket.destroy())
      socket
        .on('error', () => far.destroy())
        .pipe(far)
        .pipe(socket)
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://user:pass@127.0.0.1:${port}`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
