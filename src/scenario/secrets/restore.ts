import { formatPath, type Mistake, ScenarioError } from '../check/mistake.js'
import { replaceLayer } from '../layers/assemble.js'
import type { NamedLayer } from '../parse-layer.js'
import type { Scenario, ScenarioLayer } from '../scenario.js'
import { inheritSecrets, isPlaceholder, type Placeholders, placeholdersOf } from './placeholders.js'
import { mapTexts, type Path, type SecretKind } from './secret-paths.js'

/** A layer with its secrets instead of placeholders. */
interface Restored {
  readonly layer: ScenarioLayer
  /** The restored secrets by placeholder. */
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Replaces each placeholder in a layer with its secret, at places of the same kind only: elsewhere, a response or an
 * error message could reveal the secret.
 * @param positionOf finds the position of a field in the text of the layer, for errors
 * @throws ScenarioError with every unknown or misplaced placeholder
 */
export function restoreSecrets(
  layer: ScenarioLayer,
  placeholders: Placeholders,
  source: string,
  positionOf?: NamedLayer['positionOf'],
): Restored {
  const mistakes: Mistake[] = []
  const secrets = new Map<string, string>()
  const reject = (text: string, path: Path, why: string) =>
    mistakes.push({
      source,
      ...positionOf?.(...path),
      path: formatPath(path),
      message: `${quote(text)} ${why}`,
    })
  const restored = mapTexts(layer, (text, kind, path) => {
    const secret = kind && placeholders.secretOf(text, kind)
    if (secret === undefined) {
      const why = rejectionOf(text, kind, placeholders)
      if (why !== undefined) reject(text, path, why)
    } else if (secret !== text) secrets.set(text, secret)
    return secret ?? text
  })
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
  return secrets.size > 0 ? { layer: restored, secrets } : { layer, secrets }
}

/** Explains why a text without a secret is not valid. Returns undefined for an ordinary text. */
function rejectionOf(
  text: string,
  kind: SecretKind | undefined,
  placeholders: Placeholders,
): string | undefined {
  if (kind !== undefined && placeholders.has(text)) return MISPLACED
  if (kind !== undefined && isPlaceholder(text, kind)) return UNKNOWN
  return placeholders.isIn(text) ? MISPLACED : undefined
}

/**
 * Restores the secrets in a scenario from a client, which has seen only placeholders.
 * @param current the active scenario, which has the secrets
 * @throws ScenarioError with every unknown or misplaced placeholder
 */
export async function withSecretsOf(current: Scenario, scenario: Scenario): Promise<Scenario> {
  const { name, layer, text } = scenario
  const positionOf = typeof text === 'string' ? await positionsIn(text) : undefined
  const restored = restoreSecrets(layer, placeholdersOf(current), name, positionOf)
  if (restored.secrets.size === 0) return scenario
  return inheritSecrets(current, replaceLayer(scenario, restored.layer, await textWith(restored, text)))
}

async function textWith({ secrets }: Restored, text: Scenario['text']): Promise<Scenario['text']> {
  if (typeof text !== 'string') return text
  const { unmaskText } = await import('./mask-text.js')
  return unmaskText(text, secrets)
}

/** Finds the positions of fields in a text. It parses the text on first use. */
async function positionsIn(text: string): Promise<NamedLayer['positionOf']> {
  const { parseLayer } = await import('../parse-layer.js')
  let read: NamedLayer | undefined
  return (...path) => {
    read ??= parseLayer(text, '')
    return read.positionOf?.(...path) ?? { line: 1, column: 1 }
  }
}

const UNKNOWN =
  'looks like the placeholder of a masked secret, but the active scenario has no such secret; write the secret itself'
const MISPLACED =
  'contains the placeholder of a masked secret. A placeholder must be the whole text, at a place of the same kind: a key or a secret, or a receiver. Write the text in full'

const LONGEST_QUOTE = 100

function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text)
}
