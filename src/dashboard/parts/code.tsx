import { CopyButton } from './copy-button.js'

/** A text to read as it is, and to copy. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </section>
  )
}
