import { audio } from './audio/audio.js'
import { image } from './image/image.js'
import type { KindDefinition } from './kind.js'
import { llm } from './llm/llm.js'
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
