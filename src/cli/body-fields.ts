import type { Dialect } from '../dialects/dialect.js'
import { isJsonObject, type JsonObject } from '../engine/json.js'

/** What bodies of a service say, as far as the description of its wire format goes. */
export interface BodyFields {
  /** The event, or the state of the task. */
  readonly event: string | undefined
  readonly task_id: string | undefined
}

/** Reads the body of a webhook; without fields if it is not JSON. */
export function fieldsOfWebhook(body: Uint8Array, dialect: Dialect): BodyFields {
  try {
    const value: JsonObject = JSON.parse(new TextDecoder().decode(body))
    const event = value['event'] ?? value['type'] ?? value[dialect.answers.status]
    return { event: event ? String(event) : undefined, task_id: taskIdIn(value, dialect) }
  } catch {
    return { event: undefined, task_id: undefined }
  }
}

/** The id of the task in a body, or in an object in it. */
export function taskIdIn(body: JsonObject, { taskIds }: Dialect): string | undefined {
  return [body, ...Object.values(body).filter(isJsonObject)]
    .flatMap((each) => Object.values(each))
    .find((value) => typeof value === 'string' && taskIds.pattern.test(value))
    ?.toString()
}
