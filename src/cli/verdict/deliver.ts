import { writeFile } from 'node:fs/promises'
import { UsageError } from '../../engine/errors.js'
import type { Judgement } from './judged.js'
import { type Format, formatFor, render } from './render.js'

/** Where a judgement goes. */
export interface ReportArguments {
  report: string | undefined
  format: Format | undefined
}

/**
 * Writes a judgement to a file, where one is named, and prints it: there as text, otherwise in the format asked for.
 * @throws UsageError where the file cannot be written
 */
export async function deliver(
  judgement: Judgement,
  { report, format }: ReportArguments,
  stream: NodeJS.WriteStream,
): Promise<void> {
  const hasColors = stream.isTTY === true && !process.env['NO_COLOR']
  const shown = report === undefined ? (format ?? 'text') : 'text'
  await new Promise<void>((written) => {
    stream.write(render(judgement, shown, hasColors), () => written())
  })
  if (report === undefined) return
  try {
    await writeFile(report, render(judgement, format ?? formatFor(report)))
  } catch (error) {
    throw new UsageError(`Cannot write the report to ${report}: ${(error as Error).message}`)
  }
}
