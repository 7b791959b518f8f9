import type { MediaSettings, MediaSpec } from '../engine/assets/media-spec.js'
import type { JsonObject } from '../engine/json.js'
import { Parameters } from './parameters.js'
import { kindNamed } from './registry.js'

/**
 * Reads the media that an input requests. The defaults are a PNG of 1024 x 1024 pixels, five seconds of silent video in
 * 720p and 16:9, and five seconds of MP3.
 * @returns undefined for a kind without media
 * @throws InputError if the model does not support a value and is not lenient
 */
export function readMediaSpec(
  kind: string,
  input: JsonObject,
  { lenient = false, limits = {} }: MediaSettings = {},
): MediaSpec | undefined {
  return kindNamed(kind)?.order?.(new Parameters(input, lenient), limits)
}
