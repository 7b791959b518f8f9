import type { Call } from '../../../client/call.js'
import type { ControlId } from '../../../control/paths.js'
import { UsageError } from '../../../engine/errors.js'
import type { JsonObject } from '../../../engine/json.js'
import { suggest } from '../../../engine/suggest.js'

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
   * @returns JSON or a string, which may be shortened
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

/** The settings of a new simulator. The command line gives those that are missing. */
export interface NewSimulator {
  /** The name of a shipped scenario, or the path of a file. */
  readonly scenario?: string
  readonly seed?: string
  readonly clock?: 'real' | 'manual'
  readonly speed?: number
}

/** The simulator that the tools control: one in this process, or a server that runs elsewhere. */
export interface Session {
  /** Sends a request to its control API. */
  readonly call: Call
  /** The start of its URLs, such as http://127.0.0.1:4010. */
  readonly origin: string
  /** The names of the failing cases that tools have added to its scenario. */
  readonly cases: Set<string>
  /**
   * Replaces the simulator with a new one at the same address. Undefined for a server that runs elsewhere.
   * @throws UsageError if a setting is unusable or the address is not available; the current simulator then remains
   */
  readonly restart?: (settings: NewSimulator) => Promise<void>
  /** Stops the simulator, if it runs in this process. */
  close(): Promise<void>
}
