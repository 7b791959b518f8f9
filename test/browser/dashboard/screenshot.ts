import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { startReceiver } from '../../support/receiver.js'
import type { Server } from './server.js'

const FILE = fileURLToPath(new URL('../../../docs/dashboard.png', import.meta.url))

const REQUESTS: readonly (readonly [string, object])[] = [
  ['acme/speech-1', { prompt: 'A calm voice reads the morning news' }],
  ['acme/image-1', { prompt: 'A paper boat on a puddle, macro' }],
  ['acme/composer-2.5', { messages: [{ role: 'user', content: 'Name three rivers that flow north.' }] }],
  ['acme/video-1', { prompt: 'Clouds over a valley, time-lapse', duration: 6 }],
  ['acme/image-1', { prompt: 'Portrait of a fox in a raincoat' }],
  ['tools/upscale-tool', { prompt: 'Upscale to 4k' }],
  ['acme/image-hd', { prompt: 'An observatory under the Milky Way' }],
  ['acme/speech-1', { prompt: 'Welcome back. You have two new messages.' }],
  ['acme/video-1', { prompt: 'A tram turns a corner in the rain', duration: 4 }],
]

/** Takes the picture in the README. */
export async function takeScreenshot(browser: Browser, server: Server): Promise<void> {
  let isDown = false
  const receiver = await startReceiver(() => {
    const status = isDown ? 503 : 204
    isDown = false
    return status
  })
  await server.post('/_sim/receivers', { url: receiver.url })
  for (const [model, input] of REQUESTS) {
    await server.create(model, input)
    await server.advance('1500ms')
  }
  await server
    .create('acme/image-1', { prompt: 'A celebrity, photorealistic' })
    .then((id) =>
      server.post(`/_sim/tasks/${id}/finish`, { status: 'failed', error: { code: 'content_policy' } }),
    )
  const id = await server.create('acme/image-1', { prompt: 'A lighthouse at dawn, gouache' })
  isDown = true
  for (let poll = 0; poll < 5; poll++) {
    await server.get(`/api/v1/tasks/${id}`)
    await server.advance('500ms')
  }
  await server.advance('7s')
  await server.create('acme/video-1', { prompt: 'Waves under a pier, slow motion', duration: 8 })
  await server.advance('1s')
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' })
  await page.goto(`${server.url}/_sim/#/tasks/${id}`)
  await page.locator('.file img').waitFor()
  await page.waitForTimeout(1_000)
  // With a palette, the picture has a third of the size. Every copy of the package contains it.
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(FILE)
  receiver.close()
}
