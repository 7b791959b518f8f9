import type { JsonObject } from 'tasksim'
import { type Check, expectEqual } from '../../support/check.js'
import { create, pollSucceeded } from './client.js'
import { coloursOf, loadVideo, playToTheEnd, showPicture } from './elements.js'
import { mockApi } from './mocked-api.js'

export const mediaChecks: readonly Check[] = [
  {
    title: 'the image of a task is drawn, in the size and format that were ordered',
    async run() {
      for (const format of ['png', 'jpeg', 'webp']) {
        const prompt = 'a lighthouse 灯塔 🌅 منارة </svg>'
        const { url } = await succeededImage({ prompt, size: '640x360', output_format: format })
        const { headers } = await fetch(url)
        expectEqual('the type', headers.get('content-type'), `image/${format}`)
        const picture = await showPicture(url)
        expectEqual('the size', [picture.naturalWidth, picture.naturalHeight], [640, 360])
        expectEqual('the presence of many colours', coloursOf(picture, 64).size > 100, true)
      }
    },
  },
  {
    title: 'the same URL gives the same bytes and the same tag',
    async run() {
      const { url } = await succeededImage({ size: '64x64' })
      const [one, two] = [await fetch(url), await fetch(url)]
      expectEqual('the tag', one.headers.get('etag'), two.headers.get('etag'))
      const bytes = async (response: Response) => Array.from(new Uint8Array(await response.arrayBuffer()))
      expectEqual('the bytes', await bytes(one), await bytes(two))
      const again = await fetch(url, { headers: { 'if-none-match': one.headers.get('etag') ?? '' } })
      expectEqual('the status of what is known', again.status, 304)
    },
  },
  {
    title: 'the video of a task has the seconds and the size that were ordered, and plays to its end',
    async run() {
      const sim = mockApi()
      const input = {
        prompt: 'waves',
        duration: 1.5,
        aspect_ratio: '9:16',
        resolution: '480p',
        generate_audio: true,
      }
      const { id } = await create('acme/video-1', input)
      await sim.clock.advance('6s')
      const video = await loadVideo((await pollSucceeded(id)).output?.video ?? '')
      expectEqual('the duration', Math.round(video.duration * 100) / 100, 1.5)
      expectEqual('the size', [video.videoWidth, video.videoHeight], [480, 854])
      await playToTheEnd(video)
      expectEqual('the time at the end', Math.round(video.currentTime * 10) / 10, 1.5)
      expectEqual('the presence of a picture', coloursOf(video, 32).size > 20, true)
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

async function succeededImage(input: JsonObject = { prompt: 'a lighthouse' }) {
  const sim = mockApi()
  const { id } = await create('acme/image-1', input)
  await sim.clock.advance('2s')
  return { sim, id, url: await imageOf(id) }
}

async function imageOf(id: string): Promise<string> {
  return (await pollSucceeded(id)).output?.images?.[0] ?? ''
}
