import { isJsonObject, type JsonObject, type JsonValue } from '../json.js'

/** The kinds of speakers that a message may come from. */
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** All text that the model gets to read: the messages, a bare prompt, and the tools. */
export function textOfInput({ messages, prompt, tools }: JsonObject): string {
  const parts = Array.isArray(messages) ? messages.map(textRead) : []
  if (typeof prompt === 'string') parts.push(prompt)
  if (tools !== undefined && tools !== null) parts.push(JSON.stringify(tools))
  return parts.join('\n')
}

function textRead(message: JsonValue): string {
  if (!isJsonObject(message)) return JSON.stringify(message)
  const { tool_calls: calls } = message
  return Array.isArray(calls) ? textOfMessage(message) + JSON.stringify(calls) : textOfMessage(message)
}

/** What the user has said last, or else the bare prompt; empty where there is neither. */
export function lastUserMessage({ messages, prompt }: JsonObject): string {
  const last = Array.isArray(messages)
    ? messages.findLast((message) => isJsonObject(message) && message['role'] === 'user')
    : undefined
  if (last !== undefined) return textOfMessage(last as JsonObject)
  return typeof prompt === 'string' ? prompt : ''
}

/** Whether it is for the model to say what it makes of a tool's result. */
export function endsWithToolResult({ messages }: JsonObject): boolean {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  if (!isJsonObject(last)) return false
  if (last['role'] === 'tool' || last['role'] === 'function') return true
  const { content } = last
  return (
    Array.isArray(content) && content.some((part) => isJsonObject(part) && part['type'] === 'tool_result')
  )
}

/** The text of a message, be it one string or in parts; parts of other kinds, such as images, have none. */
function textOfMessage({ content }: JsonObject): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(textOfPart).join('\n')
}

function textOfPart(part: JsonValue): string {
  if (typeof part === 'string') return part
  return isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''
}
