import { CONTROL_PATHS } from '../../../control/paths.js'
import type { Tool } from './tool.js'

/** A request to the control API in a text, with or without its method, such as `GET /_sim/findings`. */
const MENTION = /`?(?:(?<method>GET|POST|PUT|PATCH|DELETE) )?(?<path>\/_sim\/[\w/{}]*[\w}])`?/g

/**
 * Creates a function that replaces requests to the control API in a text with the names of tools, because a model has
 * tools only. Requests for which there is no tool stay.
 */
export function namingTools(tools: readonly Tool[]): (text: string) => string {
  const names = new Map<string, string>()
  for (const { name, operations = [] } of tools)
    for (const id of operations) {
      const methodAndPath = CONTROL_PATHS[id]
      const path = methodAndPath.replace(/^\w+ /, '')
      if (!names.has(methodAndPath)) names.set(methodAndPath, name)
      if (methodAndPath.startsWith('GET ') && !names.has(path)) names.set(path, name)
    }
  return (text) =>
    text.replaceAll(MENTION, (mention, method: string | undefined, path: string) => {
      const name = names.get(method === undefined ? path : `${method} ${path}`)
      return name === undefined ? mention : `\`${name}\``
    })
}
