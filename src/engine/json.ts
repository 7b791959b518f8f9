/** Anything that JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue
}
