/** In characters; a picture has no space for a longer text. */
const MAX_LENGTH = 600
/** Control characters, format characters and unpaired surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]+/gu

/** Splits a text into words of visible graphemes. */
export function splitWords(text: string): string[][] {
  const clean = text
    .slice(0, MAX_LENGTH)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return clean
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => Array.from(segmenter.segment(word), ({ segment }) => segment))
}
