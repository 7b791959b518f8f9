import type { Caption } from './captions.js'
import { timestamp } from './timestamp.js'

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
