import { useSignal } from '@preact/signals'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import { Card } from '../../parts/card.js'
import { Code } from '../../parts/code.js'
import { Tabs } from '../../parts/tabs.js'

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
      <Tabs
        label="Language"
        tabs={code.map(({ language, label }) => ({ id: language, label }))}
        selected={current.language}
        onSelect={(id) => {
          language.value = id
          localStorage.setItem(NAME, id)
        }}
      >
        <Code text={current.text} label={`Code: ${current.label}`} />
      </Tabs>
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
