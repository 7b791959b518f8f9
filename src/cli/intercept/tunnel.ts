import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/**
 * Opens a connection to a host, through the proxy of the user if there is one.
 * @param authority such as `api.example.com:443`
 * @param env the environment of the user
 */
export async function openTunnel(authority: string, env: NodeJS.ProcessEnv): Promise<Socket> {
  const proxy = env['HTTPS_PROXY'] || env['https_proxy']
  if (!proxy) {
    const { hostname, port } = new URL(`https://${authority}`)
    return connected(connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 }))
  }
  return throughProxy(authority, proxy)
}

async function throughProxy(authority: string, proxy: string): Promise<Socket> {
  const {
    protocol,
    hostname: host,
    port,
    username,
    password,
  } = new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Error(`The proxy in HTTPS_PROXY has the scheme ${protocol}, which tasksim does not support.`)
  const address = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
  const socket = await connected(
    protocol === 'https:' ? connectSecurely({ ...address, servername: host }) : connect(address),
  )
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const authorization =
    username === '' ? '' : `Proxy-Authorization: Basic ${credential.toString('base64')}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`)
  const [head, rest] = await headOf(socket)
  if (!/^HTTP\/1\.[01] 2\d\d/.test(head)) {
    socket.destroy()
    throw new Error(`The proxy in HTTPS_PROXY answered: ${head.split('\r\n')[0]}`)
  }
  if (rest.length > 0) socket.unshift(rest)
  return socket
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

const LONGEST_HEAD = 16_384

/** Reads until the empty line. @returns the head, and what follows it */
function headOf(socket: Socket): Promise<readonly [head: string, rest: Buffer]> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0)
    const onData = (piece: Buffer) => {
      read = Buffer.concat([read, piece])
      const end = read.indexOf('\r\n\r\n')
      if (end === -1 && read.length > LONGEST_HEAD) socket.destroy()
      if (end === -1) return
      socket.off('data', onData).pause()
      resolve([read.subarray(0, end).toString('latin1'), read.subarray(end + 4)])
    }
    socket
      .on('data', onData)
      .once('error', reject)
      .once('close', () => reject(new Error('The proxy in HTTPS_PROXY closed the connection.')))
  })
}
