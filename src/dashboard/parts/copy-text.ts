import { notify } from '../state/notifications.js'

/** How long a button confirms that it has copied, in milliseconds. */
export const CONFIRMATION_DURATION = 1_600

/**
 * Copies a text to the clipboard. Browsers offer the clipboard only to HTTPS and localhost; elsewhere, the text is shown
 * for selection.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard === undefined) {
    notify(
      'bad',
      `The browser allows copying only over HTTPS or on localhost. Select the text here:\n${await text}`,
    )
    return
  }
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  // Safari accepts a text that is still loading only in this form.
  const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
