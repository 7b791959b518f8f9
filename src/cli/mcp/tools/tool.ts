import type { ControlId } from '../../../control/paths.js'
import { UsageError } from '../../../engine/errors.js'
import type { JsonObject } from '../../../engine/json.js'
import { suggest } from '../../../engine/suggest.js'
import type { Session } from '../session.js'

/** The JSON Schema of the arguments of a tool: an object whose fields have descriptions. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
  /** Keeps the type assignable to JSON Schemas of the SDK. */
  readonly [keyword: string]: unknown
}

/** What a call does: it only reads, it changes or adds something, or it deletes something. */
type Effect = 'reads' | 'changes' | 'deletes'

/** A tool for coding assistants. */
export interface Tool {
  readonly name: string
  /** A short phrase for people. */
  readonly title: string
  /** When to use it, and what the result contains, for a model. */
  readonly description: string
  readonly effect: Effect
  readonly input: InputSchema
  /** The operations of the control API that it uses. Texts that mention one of them mention the tool instead. */
  readonly operations?: readonly ControlId[]
  /**
   * @param given has no unknown fields, and all required ones
   * @returns JSON or a text, which may be shortened
   * @throws UsageError or ControlError, which become an error for the model
   */
  run(given: JsonObject, context: ToolContext): Promise<unknown>
}

/** What a tool works with. */
export interface ToolContext {
  readonly session: Session
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal
}

/** Describes arguments. */
export function inputOf(
  properties: InputSchema['properties'],
  required: readonly string[] = [],
): InputSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** @throws UsageError that names the first field that is unknown or missing */
export function checkNames({ name, input }: Tool, given: JsonObject): void {
  const known = Object.keys(input.properties)
  const unknown = Object.keys(given).find((field) => !known.includes(field))
  if (unknown !== undefined) {
    const expected = known.length === 0 ? 'expected no argument' : suggest(unknown, known)
    throw new UsageError(`Unknown argument \`${unknown.slice(0, 100)}\` of ${name}: ${expected}`)
  }
  const missing = input.required?.find((field) => given[field] === undefined)
  if (missing !== undefined)
    throw new UsageError(
      `The argument \`${missing}\` of ${name} is missing: ${input.properties[missing]?.['description']}.`,
    )
}
