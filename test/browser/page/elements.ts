/** As much of the DOM as the page needs; the rest of the project is compiled without it, and so is this. */
declare const document: {
  readonly body: { append(element: EventTarget): void }
  createElement(name: 'img'): Picture
  createElement(name: 'video'): Video
}

interface Picture extends EventTarget {
  src: string
  readonly naturalWidth: number
}

interface Video extends EventTarget {
  src: string
  /** In seconds. */
  readonly duration: number
  readonly videoWidth: number
}

/** Shows a picture; rejects where the browser cannot. */
export async function showPicture(url: string): Promise<Picture> {
  const picture = document.createElement('img')
  document.body.append(picture)
  const loaded = happens(picture, 'load')
  picture.src = url
  await loaded
  return picture
}

/** Loads a video as far as its metadata and its first picture; rejects where the browser cannot. */
export async function loadVideo(url: string): Promise<Video> {
  const video = document.createElement('video')
  document.body.append(video)
  const loaded = Promise.all([happens(video, 'loadedmetadata'), happens(video, 'loadeddata')])
  video.src = url
  await loaded
  return video
}

function happens(target: EventTarget, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true })
    target.addEventListener('error', () => reject(new Error(`error instead of ${name}`)), { once: true })
  })
}
