import { type Signal, useSignal } from '@preact/signals'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import type { Order } from '../../model/compose/order.js'
import { Card, Code } from '../../parts/blocks.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { setter } from '../../parts/hooks.js'
import { Segments } from '../../parts/segments.js'
import { useDialects } from '../../state/dialects.js'

/** The service, the kind and the model; and the API key, if only the user knows one. */
export function ServiceForm({
  order,
  written,
  error,
  apiKey,
  onModel,
  onService,
}: {
  readonly order: Order
  readonly written: WrittenRequestShape
  /** Why the model is not accepted. */
  readonly error: string | undefined
  readonly apiKey: Signal<string> | undefined
  readonly onModel: (model: string) => void
  readonly onService: (change: Order) => void
}) {
  const names = useDialects().map(({ name }) => name)
  const { kind, kinds, models, model } = written
  // The server may not have written the request since the choice.
  const dialect = order['dialect'] ?? written.dialect
  return (
    <Card title="Service">
      <div class="fields fields-service">
        <ChoiceField
          label="Dialect"
          value={dialect}
          choices={choicesOf(names.includes(dialect) ? names : [dialect])}
          onChange={(dialect) => onService({ dialect })}
        />
        <ChoiceField
          label="Kind"
          value={kind}
          choices={choicesOf(kinds)}
          onChange={(kind) => onService({ dialect, kind })}
        />
        <TextField
          label="Model"
          value={order['model'] ?? model}
          values={models}
          placeholder={model}
          error={error}
          onChange={onModel}
        />
        {apiKey !== undefined && (
          <TextField
            label="API key"
            isSecret
            value={apiKey.value}
            hint="The scenario lists the keys, and they are secret. The page forgets this one when you close it."
            onChange={setter(apiKey)}
          />
        )}
      </div>
      {written.ended !== undefined && <p class="field-note">{written.ended}</p>}
    </Card>
  )
}

function choicesOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

const NAME = 'tasksim-language'

/** The request as code, in each language. The page remembers the language. */
export function CodeTabs({ written: { request, dialect } }: { readonly written: WrittenRequestShape }) {
  const language = useSignal(localStorage.getItem(NAME) ?? 'curl')
  const { code = [], method, url } = request
  const current = code.find((each) => each.language === language.value) ?? code[0]
  if (current === undefined) return null
  const sdk = code.find((each) => each.language === 'sdk')
  return (
    <Card title="Code">
      <p class="compose-path">
        <b>{method}</b> <code>{new URL(url, location.href).pathname}</code>
      </p>
      <Segments
        label="Language"
        choices={code.map(({ language, label }) => ({ id: language, label }))}
        chosen={current.language}
        onChoose={(id) => {
          language.value = id
          localStorage.setItem(NAME, id)
        }}
      />
      <Code text={current.text} label={`Code: ${current.label}`} />
      <p class="field-note">
        {current.language === 'sdk' ? (
          <>
            JavaScript. Install it with <code>npm install {current.label}</code>.
          </>
        ) : sdk === undefined ? (
          dialect === 'tasks' ? (
            'This API has no official client. Use fetch.'
          ) : (
            `No official client of ${dialect} sends this request. Use fetch.`
          )
        ) : current.language === 'python' ? (
          'Needs only the standard library.'
        ) : current.language === 'typescript' ? (
          'Runs in Node, Bun, Deno and browsers.'
        ) : (
          'Paste it into a shell.'
        )}
      </p>
    </Card>
  )
}
