import { writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { UsageError } from '../../engine/errors.js'
import { toGithub, toJunit } from '../../explore/formats/ci.js'
import { toHtml } from '../../explore/formats/html.js'
import { toMarkdown } from '../../explore/formats/markdown.js'
import { toText } from '../../explore/formats/text.js'
import type { ExplorationReport } from '../../explore/report.js'
import type { FailOn } from '../report/report.js'

/** The formats of the report of an exploration. */
export const EXPLORE_FORMATS = ['text', 'json', 'junit', 'markdown', 'github', 'html'] as const
type Format = (typeof EXPLORE_FORMATS)[number]

/** How and where to write a report. */
interface WrittenReport {
  readonly report?: string | undefined
  readonly format?: Format | undefined
  readonly 'fail-on': FailOn
}

/** Writes a report to a stream or, if a file is given, to the file, and as text to the stream. */
export function writeExploration(
  report: ExplorationReport,
  { report: file, format, 'fail-on': failOn }: WrittenReport,
  stream: NodeJS.WriteStream,
): void {
  const shown = file === undefined ? (format ?? 'text') : 'text'
  const columns = stream.columns === undefined ? 100 : Math.min(Math.max(stream.columns, 60), 160)
  const hasColors = stream.isTTY === true && !process.env['NO_COLOR']
  stream.write(shown === 'text' ? toText(report, { hasColors, columns }) : rendered(report, shown, failOn))
  if (file !== undefined) write(file, rendered(report, format ?? formatFor(file), failOn))
}

function rendered(report: ExplorationReport, format: Format, failOn: FailOn): string {
  switch (format) {
    case 'text':
      return toText(report)
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`
    case 'junit':
      return toJunit(report, failOn)
    case 'markdown':
      return toMarkdown(report)
    case 'github':
      return toGithub(report)
    case 'html':
      return toHtml(report)
  }
}

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.xml': 'junit',
  '.md': 'markdown',
  '.html': 'html',
}

function formatFor(file: string): Format {
  return BY_EXTENSION[extname(file).toLowerCase()] ?? 'text'
}

/** @throws UsageError if the file cannot be written */
export function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`)
  }
}
