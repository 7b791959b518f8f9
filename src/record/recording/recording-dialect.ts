import type { Dialect } from '../../dialects/dialect.js'
import { Dialects } from '../../dialects/dialects.js'
import { UsageError } from '../../engine/errors.js'
import type { RecordingHeader } from './recording.js'

/**
 * Loads the wire format of a recording.
 * @param name the name of the recording in messages
 * @throws UsageError if this tasksim does not have it, or the description in the recording is damaged
 */
export async function recordingDialect(
  { dialect, table }: Pick<RecordingHeader, 'dialect' | 'table'>,
  name: string,
): Promise<Dialect> {
  try {
    return await new Dialects(table === undefined ? [] : [table]).load(dialect)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${name}:1: ${error.message}`)
    throw new UsageError(
      `${name}:1: table: the description of the dialect ${JSON.stringify(dialect)} is damaged: ${(error as Error).message}. Pass its file with --dialect, or record again.`,
    )
  }
}
