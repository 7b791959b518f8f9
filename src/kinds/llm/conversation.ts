import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'

/** The roles of messages. */
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** Returns all text that the model reads: the messages, or else the prompt, the tools and the form of the reply. */
export function textOfInput({ messages, prompt, tools, response_format: format }: JsonObject): string {
  const parts = Array.isArray(messages) ? messages.map(readText) : []
  if (typeof prompt === 'string' && !Array.isArray(messages)) parts.push(prompt)
  for (const part of [tools, format])
    if (part !== undefined && part !== null) parts.push(JSON.stringify(part))
  return parts.join('\n')
}

function readText(message: JsonValue): string {
  if (!isJsonObject(message)) return JSON.stringify(message)
  const { tool_calls: calls } = message
  return Array.isArray(calls) ? textOfMessage(message) + JSON.stringify(calls) : textOfMessage(message)
}

/** Returns the last message of the user, or else the prompt; empty if there is neither. */
export function lastUserMessage({ messages, prompt }: JsonObject): string {
  const last = Array.isArray(messages)
    ? messages.findLast((message) => isJsonObject(message) && message['role'] === 'user')
    : undefined
  if (last !== undefined) return textOfMessage(last as JsonObject)
  return typeof prompt === 'string' ? prompt : ''
}

/** Whether the last message is the result of a tool. */
export function endsWithToolResult({ messages }: JsonObject): boolean {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  if (!isJsonObject(last)) return false
  if (last['role'] === 'tool' || last['role'] === 'function') return true
  const { content } = last
  return (
    Array.isArray(content) && content.some((part) => isJsonObject(part) && part['type'] === 'tool_result')
  )
}

/** Returns the text of a message: a string, or the text parts of a list. */
function textOfMessage({ content }: JsonObject): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(textOfPart).join('\n')
}

function textOfPart(part: JsonValue): string {
  if (typeof part === 'string') return part
  return isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''
}
