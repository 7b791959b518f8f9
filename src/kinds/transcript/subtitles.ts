import type { Caption } from './captions.js'

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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Writes captions in the WebVTT format.
 * @see https://www.w3.org/TR/webvtt1/#file-structure
 */
export function toVtt(captions: readonly Caption[]): string {
  const cues = captions.map(
    ({ start, end, text }) => `${timestamp(start, '.')} --> ${timestamp(end, '.')}\n${escaped(text)}\n`,
  )
  return ['WEBVTT\n', ...cues].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)
}

/**
 * Writes a time as `00:01:02,345`.
 * @param point the character before the milliseconds
 */
function timestamp(milliseconds: number, point: ',' | '.'): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock}${point}${String(milliseconds % 1_000).padStart(3, '0')}`
}
