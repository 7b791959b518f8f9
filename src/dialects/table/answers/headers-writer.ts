import { UsageError } from '../../../engine/errors.js'
import { whyNotSettable } from '../../../engine/requests/headers.js'
import { compileTemplate, type Read, type Values } from '../template/compile.js'
import type { TextTemplate } from '../template/template.js'

/** Adds headers to those of an answer. One without a value is left out. */
type AddHeaders<Scope> = (scope: Scope, headers: Record<string, string>) => void

/**
 * Returns a function that adds headers, whose names become lower-case. Their values are not cached, because most of them
 * are cheaper than a look-up.
 * @throws UsageError if an answer may not have one of them: only the tables of files are checked before
 */
export function headersWriter<Scope>(
  headers: Readonly<Record<string, TextTemplate>> | undefined,
  values: Values<Scope>,
): AddHeaders<Scope> | undefined {
  if (headers === undefined) return undefined
  for (const name of Object.keys(headers)) {
    const reason = whyNotSettable(name)
    if (reason !== undefined)
      throw new UsageError(`Cannot set the header ${JSON.stringify(name)}: ${reason}.`)
  }
  const reads = Object.entries(headers).map(([name, template]): readonly [string, Read<Scope>] => [
    name.toLowerCase(),
    compileTemplate<Scope>(template, values),
  ])
  return (scope, into) => {
    for (const [name, read] of reads) {
      const value = read(scope)
      if (value !== undefined && value !== null) into[name] = String(value)
    }
  }
}
