import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import pc from 'picocolors'
import { UsageError } from '../../engine/errors.js'
import { FAIL_ON, type Report } from './report.js'
import { toGithub } from './to-github.js'
import { toJunit } from './to-junit.js'
import { toMarkdown } from './to-markdown.js'
import { toText } from './to-text.js'

const FORMATS = ['text', 'json', 'junit', 'github', 'markdown'] as const
type Format = (typeof FORMATS)[number]

/** The arguments for the file and the format of a report. */
export interface ReportArguments {
  report: string | undefined
  format: Format | undefined
}

/** The options of every command that writes a report. */
export function reportOptions() {
  return {
    'fail-on': {
      choices: FAIL_ON,
      default: 'warning' as (typeof FAIL_ON)[number],
      describe: 'Minimum severity that fails the run; notes never fail it',
    },
    report: {
      type: 'string',
      requiresArg: true,
      describe:
        'Write the report to this file: .json, .xml (JUnit), .md (Markdown) or text, unless --format is given',
    },
    format: { choices: FORMATS as readonly Format[], describe: 'Format of the report' },
  } as const
}

/**
 * Prints a report. If a file is given, also writes the report there, and prints it as text.
 * @throws UsageError if the file cannot be written
 */
export async function writeReport(
  report: Report,
  { report: file, format }: ReportArguments,
  stream: NodeJS.WriteStream,
): Promise<void> {
  const hasColors = stream.isTTY === true && !process.env['NO_COLOR']
  const printed = file === undefined ? (format ?? 'text') : 'text'
  await new Promise<void>((written) => {
    stream.write(render(report, printed, hasColors), () => written())
  })
  if (file === undefined) return
  try {
    await writeFile(file, render(report, format ?? formatFor(file)))
  } catch (error) {
    throw new UsageError(`Cannot write the report to ${file}: ${(error as Error).message}`)
  }
}

/** Formats a report. The result ends in a line break. */
export function render(report: Report, format: Format, hasColors = false): string {
  switch (format) {
    case 'text':
      return toText(report, pc.createColors(hasColors))
    case 'json':
      return toJson(report)
    case 'junit':
      return toJunit(report)
    case 'github':
      return toGithub(report)
    case 'markdown':
      return toMarkdown(report)
  }
}

/** The format for the extension of a file. */
export function formatFor(file: string): Format {
  const extension = extname(file).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.md') return 'markdown'
  return extension === '.xml' ? 'junit' : 'text'
}

function toJson({ name, subject, note, lines, failures }: Report): string {
  const results = lines.map(({ mark, details, isBrief: _, fails: __, ...rest }) => ({
    verdict: mark,
    ...rest,
    ...details,
  }))
  return `${JSON.stringify({ name, subject, note, passed: failures.length === 0, failures, results }, null, 2)}\n`
}
