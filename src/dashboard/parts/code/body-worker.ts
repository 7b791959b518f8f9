import { bodyText } from './body-text.js'

// The types of the page are those of a window, whose function of the same name differs.
const reply: (message: unknown) => void = self.postMessage.bind(self)

/** Formats bodies that would block the page. */
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => reply(bodyText(data)))
