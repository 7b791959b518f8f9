import type { Signal } from '@preact/signals'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import type { Order } from '../../model/compose/order.js'
import { Card } from '../../parts/card.js'
import { useDialects } from '../../state/use-dialects.js'
import { ChoiceField, TextField } from './field.js'

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
            onChange={(key) => {
              apiKey.value = key
            }}
          />
        )}
      </div>
    </Card>
  )
}

function choicesOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}
