/** More than this of a prompt is never looked at: a picture has no room for it. */
const LONGEST = 600
/** Controls, marks that only change what is around them, and halves of characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]+/gu

/** The words of a text, in characters as people count them; what cannot be seen is gone. */
export function wordsOf(text: string): string[][] {
  const clean = text
    .slice(0, LONGEST)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return clean
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => Array.from(segmenter.segment(word), ({ segment }) => segment))
}
