import { CopyButton } from './copy-button.js'

/** Preformatted text with a copy button. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </section>
  )
}
