import { type Check, expectEqual } from '../../support/check.js'
import { coloursOf, loadVideo, playToTheEnd, seek, showPicture } from './elements.js'

/** The address of the files on a server of another origin. The test in Node sets it in the query. */
const files = new URLSearchParams(location.search)

/** Checks the video of the server: eight seconds, 1280 x 720. */
export const serverChecks: readonly Check[] = [
  {
    title: 'a server: its video plays, and seeks by ranges to where no byte was before',
    async run() {
      const video = await loadVideo(files.get('video') ?? '')
      expectEqual('the duration', Math.round(video.duration * 100) / 100, 8)
      expectEqual('the size', [video.videoWidth, video.videoHeight], [1_280, 720])
      for (const time of [6.5, 1.25, 7.5]) {
        await seek(video, time)
        expectEqual('the time', video.currentTime, time)
        expectEqual('the presence of a picture', coloursOf(video, 32).size > 20, true)
      }
      await playToTheEnd(video)
    },
  },
  {
    title: 'a server: its picture is drawn, and a page of another origin may read its bytes and headers',
    async run() {
      const url = files.get('image') ?? ''
      expectEqual('the width', (await showPicture(url)).naturalWidth, 1_024)
      const part = await fetch(url, { headers: { range: 'bytes=0-3' } })
      expectEqual(
        'the status',
        [part.status, part.headers.get('content-range')?.split('/')[0]],
        [206, 'bytes 0-3'],
      )
      expectEqual('the bytes', Array.from(new Uint8Array(await part.arrayBuffer())), [0x89, 0x50, 0x4e, 0x47])
    },
  },
]

declare const location: { readonly search: string }
