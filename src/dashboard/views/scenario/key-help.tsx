import { formsOf, type SchemaNode, schemasAt, typeText } from '../../model/editor/schema.js'
import { keyAt } from '../../model/editor/yaml-context.js'
import type { Step } from '../../model/editor/yaml-scanner.js'
import { scenarioSchema } from '../../state/scenario-schema.js'

/** Explains the key at a position of a scenario or, if there is none, the keys of the editor. */
export function KeyHelp({
  text,
  position,
}: {
  readonly text: string
  readonly position: number | undefined
}) {
  const path = position === undefined ? [] : keyAt(text, position)
  const known = scenarioSchema.value === undefined ? [] : schemasAt(scenarioSchema.value, path)
  const [key] = path.length === 0 ? [] : known
  return (
    <div class="key-help" id="key-help">
      {key === undefined ? (
        <p class="muted">
          <kbd>Ctrl Space</kbd> suggests keys and values. <kbd>Escape</kbd>, then <kbd>Tab</kbd> leaves the
          editor.
        </p>
      ) : (
        <>
          <p>
            <code>{pathText(path)}</code> <span class="muted">{typeText(key)}</span>
            {key.default !== undefined && (
              <span class="muted">
                {' '}
                · default <code>{valueText(key.default)}</code>
              </span>
            )}
            <Example schema={key} />
          </p>
          <p>{key.description ?? known.find(({ description }) => description !== undefined)?.description}</p>
        </>
      )}
    </div>
  )
}

function Example({ schema }: { readonly schema: SchemaNode }) {
  const [example] = schema.examples ?? formsOf(schema).flatMap(({ examples = [] }) => examples)
  if (example === undefined) return null
  return (
    <span class="muted">
      {' '}
      · such as <code>{valueText(example)}</code>
    </span>
  )
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pathText(path: readonly Step[]): string {
  return path.reduce<string>(
    (text, step) => (step === 0 ? `${text}[]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}
