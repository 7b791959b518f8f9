import type { MediaSettings, MediaSpec } from '../engine/assets/media-spec.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import { FILE_MARK, type Task } from '../engine/tasks/task.js'
import { audio } from './audio/audio.js'
import { image } from './image/image.js'
import type { KindDefinition } from './kind.js'
import { llm } from './llm/llm.js'
import { Parameters } from './parameters.js'
import { tool } from './tool/tool.js'
import { transcript } from './transcript/transcript.js'
import { video } from './video/video.js'

/** All built-in kinds. If an input fits several of them, the last one applies; if it fits none, the first one. */
export const KINDS = [image, video, audio, tool, llm, transcript] as const

/** The name of a built-in kind. */
export type BuiltInKind = (typeof KINDS)[number]['name']

/** The names of all built-in kinds. */
export const KIND_NAMES: readonly BuiltInKind[] = KINDS.map(({ name }) => name)

const byName: ReadonlyMap<string, KindDefinition> = new Map(KINDS.map((kind) => [kind.name, kind]))

/** The built-in kind with this name; undefined if there is none. */
export function kindNamed(name: string): KindDefinition | undefined {
  return byName.get(name)
}

/** The name of the kind that an input fits. */
export function guessKind(input: JsonObject): string {
  return (KINDS.findLast((kind) => kind.recognizes?.(input)) ?? KINDS[0]).name
}

/** @throws InputError if the kind does not accept the input */
export function checkInput(kind: string, input: JsonObject, isLenient: boolean): void {
  byName.get(kind)?.check?.(input, isLenient)
}

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
  return byName.get(kind)?.order?.(new Parameters(input, lenient), limits)
}

/**
 * The `output` of a successful task.
 * @param urlOf returns the URL of a file, by its index
 */
export function outputOf(task: Task, urlOf: (file: number) => string): JsonObject | undefined {
  if (task.result === undefined) return undefined
  const { files, output } = task.result
  if (output === undefined) return byName.get(task.baseKind)?.outputOf?.(files, urlOf)
  if (files === 0) return output
  let next = 0
  return fillMarks(output, () => urlOf(next++)) as JsonObject
}

/** The number of {@link FILE_MARK}s in an output. */
export function countMarks(value: JsonValue): number {
  if (typeof value === 'string') return value === FILE_MARK ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countMarks(inner), 0)
}

function fillMarks(value: JsonValue, nextUrl: () => string): JsonValue {
  if (value === FILE_MARK) return nextUrl()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => fillMarks(inner, nextUrl))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillMarks(inner, nextUrl)]))
}
