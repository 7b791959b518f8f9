import { formatPath, type Mistake, ScenarioError } from '../language/check/mistake.js'
import { type NamedLayer, relayered } from '../language/layers/assemble.js'
import type { ScenarioLayer } from '../model/layer.js'
import type { Scenario } from '../model/scenario.js'
import { inheritSecrets, isPlaceholder, type Placeholders, placeholdersOf } from './placeholders.js'
import { mapTexts, type Path, type SecretKind } from './places.js'

/** A layer without placeholders. */
interface Restored {
  readonly layer: ScenarioLayer
  /** The secrets that were put into it, by their placeholders. */
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Replaces each placeholder in a layer by the secret that it stands for. Secrets are put only where a secret of that
 * kind belongs: anywhere else, an answer or an error message could show them.
 * @param placeOf where a field stands in the text of the layer, for errors
 * @throws ScenarioError with every placeholder that stands for nothing, or that stands where its secret does not belong
 */
export function restoreSecrets(
  layer: ScenarioLayer,
  placeholders: Placeholders,
  source: string,
  placeOf?: NamedLayer['placeOf'],
): Restored {
  const mistakes: Mistake[] = []
  const secrets = new Map<string, string>()
  const refuse = (text: string, path: Path, why: string) =>
    mistakes.push({ source, ...placeOf?.(...path), path: formatPath(path), message: `${shown(text)} ${why}` })
  const restored = mapTexts(layer, (text, kind, path) => {
    const secret = kind && placeholders.secretOf(text, kind)
    if (secret === undefined) {
      const why = rejectionOf(text, kind, placeholders)
      if (why !== undefined) refuse(text, path, why)
    } else if (secret !== text) secrets.set(text, secret)
    return secret ?? text
  })
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
  return secrets.size > 0 ? { layer: restored, secrets } : { layer, secrets }
}

/** Why a text that no secret replaces is rejected; undefined if it is an ordinary text. */
function rejectionOf(
  text: string,
  kind: SecretKind | undefined,
  placeholders: Placeholders,
): string | undefined {
  if (kind !== undefined && placeholders.has(text)) return MISPLACED
  if (kind !== undefined && isPlaceholder(text, kind)) return UNKNOWN
  return placeholders.standsIn(text) ? MISPLACED : undefined
}

/**
 * A scenario from a client that has seen the one in force with placeholders only.
 * @param current the one in force
 * @throws ScenarioError with every placeholder that cannot be replaced
 */
export async function withSecretsOf(current: Scenario, scenario: Scenario): Promise<Scenario> {
  const { name, layer, text } = scenario
  const placeOf = typeof text === 'string' ? await placesIn(text) : undefined
  const restored = restoreSecrets(layer, placeholdersOf(current), name, placeOf)
  if (restored.secrets.size === 0) return scenario
  return inheritSecrets(current, relayered(scenario, restored.layer, await textWith(restored, text)))
}

async function textWith({ secrets }: Restored, text: Scenario['text']): Promise<Scenario['text']> {
  if (typeof text !== 'string') return text
  const { unmaskText } = await import('./mask-text.js')
  return unmaskText(text, secrets)
}

/** Tells where a field stands in a text, which is read only when somebody asks. */
async function placesIn(text: string): Promise<NamedLayer['placeOf']> {
  const { parseLayer } = await import('../language/parse-layer.js')
  let read: NamedLayer | undefined
  return (...path) => {
    read ??= parseLayer(text, '')
    return read.placeOf?.(...path) ?? { line: 1, column: 1 }
  }
}

const UNKNOWN =
  'is the placeholder of a masked secret, but the scenario in force has no secret that is shown so; write the secret itself'
const MISPLACED =
  'holds the placeholder of a masked secret, which works only as a whole and at places of its kind: for a key or a secret, where a key or a secret belongs; for a receiver, where a receiver belongs; write the text in full'

const LONGEST_SHOWN = 100

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text)
}
