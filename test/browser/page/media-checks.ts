import { type Check, expectEqual } from '../check.js'
import { create, pollSucceeded } from './client.js'
import { loadVideo, showPicture } from './elements.js'
import { mockApi } from './mocked-api.js'

export const mediaChecks: readonly Check[] = [
  {
    title: 'the image of a task is shown in an <img>',
    async run() {
      const { url } = await succeededImage()
      expectEqual('the width', (await showPicture(url)).naturalWidth, 1024)
    },
  },
  {
    title: 'the video of a task loads in a <video>, with its four seconds and its first picture',
    async run() {
      const sim = mockApi()
      const { id } = await create('acme/video-1', { prompt: 'waves', duration: 8 })
      await sim.clock.advance('6s')
      const video = await loadVideo((await pollSucceeded(id)).output?.video ?? '')
      expectEqual('the duration, in whole seconds', Math.round(video.duration), 4)
      expectEqual('the width', video.videoWidth, 640)
    },
  },
  {
    title: 'an expired URL gives 403 and shows no image, and the task gives a fresh one',
    async run() {
      const { sim, id, url } = await succeededImage()
      await sim.clock.advance('25h')
      expectEqual('the HTTP status', (await fetch(url)).status, 403)
      const shown = await showPicture(url).catch(() => undefined)
      expectEqual('the image that is shown', shown, undefined)
      expectEqual('the fresh HTTP status', (await fetch(await imageOf(id))).status, 200)
    },
  },
]

async function succeededImage() {
  const sim = mockApi()
  const { id } = await create('acme/image-1', { prompt: 'a lighthouse' })
  await sim.clock.advance('2s')
  return { sim, id, url: await imageOf(id) }
}

async function imageOf(id: string): Promise<string> {
  return (await pollSucceeded(id)).output?.images?.[0] ?? ''
}
