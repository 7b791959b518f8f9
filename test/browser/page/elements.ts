/** The parts of the DOM that the page needs. The project compiles without the DOM library. */
declare const document: {
  readonly body: { append(element: EventTarget): void }
  createElement(name: 'img'): Picture
  createElement(name: 'video'): Video
}

interface Picture extends EventTarget {
  src: string
  readonly naturalWidth: number
  readonly naturalHeight: number
}

interface Video extends EventTarget {
  src: string
  /** In seconds. */
  readonly duration: number
  readonly videoWidth: number
  readonly videoHeight: number
  currentTime: number
  muted: boolean
  crossOrigin: string
  play(): Promise<void>
  pause(): void
}

/** Shows a picture. Rejects if the browser cannot decode it. */
export async function showPicture(url: string): Promise<Picture> {
  const picture = document.createElement('img')
  document.body.append(picture)
  const loaded = happens(picture, 'load')
  picture.src = url
  await loaded
  return picture
}

/** Loads the metadata and the first frame of a video. Rejects if the browser cannot decode it. */
export async function loadVideo(url: string): Promise<Video> {
  const video = document.createElement('video')
  document.body.append(video)
  const loaded = Promise.all([happens(video, 'loadedmetadata'), happens(video, 'loadeddata')])
  video.muted = true
  video.crossOrigin = 'anonymous'
  video.src = url
  await loaded
  return video
}

/** Seeks to a time, in seconds, and waits until its frame is loaded. */
export async function seek(video: Video, time: number): Promise<void> {
  const arrived = happens(video, 'seeked')
  video.currentTime = time
  await arrived
}

/** Plays from the current position until the end. */
export async function playToTheEnd(video: Video): Promise<void> {
  const ended = happens(video, 'ended')
  await video.play()
  await ended
}

/** Returns the colours of a picture or a video at a number of points across it, as red, green and blue. */
export function coloursOf(element: Picture | Video, places: number): Set<string> {
  const canvas = new OffscreenCanvas(places, places)
  const context = canvas.getContext('2d')
  context.drawImage(element, 0, 0, places, places)
  const { data } = context.getImageData(0, 0, places, places)
  const colours = new Set<string>()
  for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 3).join(' '))
  return colours
}

declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: '2d'): {
    drawImage(element: EventTarget, x: number, y: number, width: number, height: number): void
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}

function happens(target: EventTarget, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true })
    target.addEventListener('error', () => reject(new Error(`error instead of ${name}`)), { once: true })
  })
}
