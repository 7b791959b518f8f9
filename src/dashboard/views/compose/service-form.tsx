import { useSignal } from '@preact/signals'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import { changedService, needsKey, type Order } from '../../model/compose/order.js'
import { Card, Code } from '../../parts/blocks.js'
import { ChoiceField, TextField } from '../../parts/field.js'
import { bound } from '../../parts/hooks.js'
import { Segments } from '../../parts/segments.js'
import { useDialects } from '../../state/dialects.js'
import { changeOrder, order, orderErrorOf, ownKey, replaceOrder } from '../../state/order.js'

/** The service, the kind and the model; and the API key, if only the user knows one. */
export function ServiceForm({ written }: { readonly written: WrittenRequestShape }) {
  const names = useDialects().map(({ name }) => name)
  const { kind, kinds, models, model } = written
  // The server may not have written the request since the choice.
  const dialect = order.value['dialect'] ?? written.dialect
  const change = (changed: Order) => replaceOrder(changedService(order.peek(), changed, written.input))
  return (
    <Card title="Service">
      <div class="fields fields-service">
        <ChoiceField
          label="Dialect"
          value={dialect}
          values={names}
          onChange={(dialect) => change({ dialect })}
        />
        <ChoiceField
          label="Kind"
          value={kind}
          values={kinds}
          onChange={(kind) => change({ dialect, kind })}
        />
        <TextField
          label="Model"
          value={order.value['model'] ?? model}
          values={models}
          placeholder={model}
          error={orderErrorOf('model')}
          onChange={(model) => changeOrder({ model })}
        />
        {needsKey(written.request) && (
          <TextField
            label="API key"
            isSecret
            {...bound(ownKey)}
            hint="The scenario lists the keys, and they are secret. The page forgets this one when you close it."
          />
        )}
      </div>
      {written.ended !== undefined && <p class="field-note">{written.ended}</p>}
    </Card>
  )
}

const NAME = 'tasksim-language'

/** The request as code, in each language. The page remembers the language. */
export function CodeTabs({ written: { request } }: { readonly written: WrittenRequestShape }) {
  const language = useSignal(localStorage.getItem(NAME) ?? 'curl')
  const { code = [], method, url } = request
  const current = code.find((each) => each.language === language.value) ?? code[0]
  if (current === undefined) return null
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
      {current.language === 'sdk' && (
        <p class="field-note">
          JavaScript. Install it with <code>npm install {current.label}</code>.
        </p>
      )}
    </Card>
  )
}
