import { isMapping } from '../../scenario/mapping.js'
import { readYaml } from '../../scenario/yaml/read-yaml.js'

/** Fields of dialects that scenarios do not have. */
const DISTINCTIVE = ['ids', 'statuses', 'operations']
const AT_START_OF_LINE = new RegExp(`^(?:${DISTINCTIVE.join('|')})[ \\t]*:`, 'm')

/** Whether a text is a dialect file rather than a scenario, even if it is not valid YAML. */
export function looksLikeDialect(text: string): boolean {
  const { value, mistakes } = readYaml(text)
  if (mistakes.length > 0) return AT_START_OF_LINE.test(text)
  return isMapping(value) && DISTINCTIVE.some((name) => Object.hasOwn(value, name))
}
