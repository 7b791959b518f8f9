import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runTasksim, startTasksim } from './bare-machine.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** An input for each kind of file, and its media type. */
const ORDERS = [
  ['acme/image-1', { prompt: 'waves' }, 'image/png'],
  ['acme/image-1', { prompt: 'waves', format: 'jpeg' }, 'image/jpeg'],
  ['acme/image-1', { prompt: 'waves', format: 'webp' }, 'image/webp'],
  ['acme/video-1', { prompt: 'waves', duration: 2 }, 'video/mp4'],
  ['acme/speech-1', { text: 'waves' }, 'audio/mpeg'],
] as const

/**
 * Checks what a server of the executable does.
 * @param hasSqlite whether the Node in the executable has SQLite
 */
export function serverChecks(folder: string, hasSqlite: boolean): Record<string, () => Promise<void>> {
  const serve = async (...args: string[]) => {
    const server = await startTasksim(folder, args)
    const stop = async () => {
      const status = await server.stop()
      if (status !== 0) throw new Error(`it ended with ${status}`)
    }
    return { base: `${server.origin}/api/v1`, stop }
  }
  return {
    async 'it makes pictures, videos, sounds and replies, and leaves no file behind'() {
      const { base, stop } = await serve('instant')
      for (const [model, input, type] of ORDERS) {
        const { output } = await create(base, model, input)
        const file = await fetch(output.images?.[0] ?? output.video ?? output.audio)
        const { byteLength } = await file.arrayBuffer()
        if (file.headers.get('content-type') !== type || byteLength < 500)
          throw new Error(`${model} is ${byteLength} bytes of ${file.headers.get('content-type')}`)
      }
      const reply = await create(base, 'acme/composer-2.5', {
        messages: [{ role: 'user', content: 'waves' }],
      })
      if (reply.output.message.content === '') throw new Error('the reply is empty')
      await stop()
      const left = readdirSync(join(folder, 'tmp'))
      if (left.length > 0) throw new Error(`it left ${left}`)
    },

    async 'it serves the dashboard and the schema'() {
      const { base, stop } = await serve('instant')
      const page = await textAt(new URL('/_sim/', base))
      const assets = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
      if (assets.length < 2) throw new Error(`the page names ${assets}`)
      for (const path of [...assets, 'scenario.schema.json']) await textAt(new URL(`/_sim/${path}`, base))
      await stop()
    },

    async 'it speaks the dialects of other services'() {
      const { base, stop } = await serve('instant')
      await textAt(new URL('/_sim/dialects/replicate/openapi.json', base))
      await stop()
    },

    async 'it keeps its tasks in a file, or says which Node can'() {
      if (!hasSqlite) {
        const { status, stderr } = runTasksim(folder, ['--port', '0', '--ledger', './state.db'])
        if (status !== 1 || !stderr.includes('A ledger in a file needs Node 22.13 or later'))
          throw new Error(`it ended with ${status}: ${stderr}`)
        return
      }
      const first = await serve('instant', '--ledger', './state.db')
      const { id } = await create(first.base, 'acme/image-1', { prompt: 'waves' })
      await first.stop()
      const second = await serve('instant', '--ledger', './state.db')
      await textAt(new URL(`${second.base}/tasks/${id}`))
      await second.stop()
    },
  }
}

async function create(base: string, model: string, input: object) {
  const body = JSON.stringify({ model, input })
  const { id } = await (await fetch(`${base}/tasks`, { method: 'POST', headers: HEADERS, body })).json()
  return (await fetch(`${base}/tasks/${id}`, { headers: HEADERS })).json()
}

async function textAt(url: URL): Promise<string> {
  const response = await fetch(url, { headers: HEADERS })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return response.text()
}
