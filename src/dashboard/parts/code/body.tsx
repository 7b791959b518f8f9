import { CopyButton } from '../copy.js'
import { lazy } from '../lazy.js'

const Viewer = lazy('The text', async () => (await import('./viewer.js')).Viewer)

/** The body of a request, an answer or a webhook, or another value as JSON, with a copy button. */
export function Body({ body, label }: { readonly body: unknown; readonly label: string }) {
  const text = () => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))
  return (
    <section class="code" aria-label={label}>
      <Viewer body={body} label={label} />
      <CopyButton text={text} label={`Copy: ${label}`} />
    </section>
  )
}
