import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'

const MEDIA = ['image', 'video', 'audio'] as const
const URL_FORM = /^(?:https?|data):/
/** The types of files by the ends of their URLs, and by their media type in data URLs. */
const FORMS = {
  video: /\.(?:mp4|webm|mov|m4v)(?:$|[?#])|^data:video/i,
  audio: /\.(?:mp3|wav|ogg|opus|m4a|flac|aac)(?:$|[?#])|^data:audio/i,
} as const

/**
 * The output of a task, in the form of the default wire format.
 * @param names the values that the place in the answer may show, such as `video`, `files` and `output`
 */
export function outputIn(names: readonly (string | undefined)[], value: JsonValue): JsonObject | undefined {
  if (names.some((name) => name === 'output' || name === 'result') && isJsonObject(value)) return value
  if (typeof value === 'string') return outputOfText(names, value)
  if (!Array.isArray(value) || value.length === 0) return undefined
  if (!value.every((entry) => typeof entry === 'string')) return undefined
  if (names.includes('files') && value.every((entry) => URL_FORM.test(entry))) return { images: value }
  return names.includes('pieces') ? { text: value.join('') } : undefined
}

function outputOfText(names: readonly (string | undefined)[], text: string): JsonObject | undefined {
  if (names.includes('text') || names.includes('output.text')) return { text }
  const media = MEDIA.filter((name) => names.includes(name))
  const [first] = media
  if (first === undefined || !URL_FORM.test(text)) return undefined
  const named = media.find((name) => name !== 'image' && FORMS[name].test(text)) ?? first
  return named === 'image' ? { images: [text] } : { [named]: text }
}
