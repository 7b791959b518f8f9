import { extname } from 'node:path'
import pc from 'picocolors'
import { asGithub } from './as-github.js'
import { asJson } from './as-json.js'
import { asJunit } from './as-junit.js'
import { asText } from './as-text.js'
import type { Judgement } from './judged.js'

/** How a judgement can be written. */
export const FORMATS = ['text', 'json', 'junit', 'github'] as const
export type Format = (typeof FORMATS)[number]

/** A judgement in a format, with its last line ended. */
export function render(judgement: Judgement, format: Format, hasColors = false): string {
  switch (format) {
    case 'text':
      return asText(judgement, pc.createColors(hasColors))
    case 'json':
      return asJson(judgement)
    case 'junit':
      return asJunit(judgement)
    case 'github':
      return asGithub(judgement)
  }
}

/** The format that the name of a file asks for. */
export function formatFor(file: string): Format {
  const extension = extname(file).toLowerCase()
  if (extension === '.json') return 'json'
  return extension === '.xml' ? 'junit' : 'text'
}
