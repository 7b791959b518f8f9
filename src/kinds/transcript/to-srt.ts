import type { Caption } from './captions.js'
import { timestamp } from './timestamp.js'

/** Writes captions in the SubRip format. */
export function toSrt(captions: readonly Caption[]): string {
  return captions
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${timestamp(start, ',')} --> ${timestamp(end, ',')}\n${withoutArrow(text)}\n`,
    )
    .join('\n')
}

/** The format cannot escape the arrow between two times. */
function withoutArrow(text: string): string {
  return text.replaceAll('-->', '→')
}
