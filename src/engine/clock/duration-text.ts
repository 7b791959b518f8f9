type Unit = 'd' | 'h' | 'm' | 's' | 'ms'
/** `bigint` does not allow spaces, unlike `number`. */
type Part<U extends Unit> = '' | `${bigint}${U}`
/** A `bigint` has no leading zeros, so up to two zeros after the point are spelled out. */
type Decimal = `${bigint}.${'' | '0' | '00'}${bigint}`

type Whole = Exclude<`${Part<'d'>}${Part<'h'>}${Part<'m'>}${Part<'s'>}${Part<'ms'>}`, ''>
type Fraction = `${Decimal}${Unit}` | `${Part<'d'>}${Part<'h'>}${Part<'m'>}${Decimal}s`

/**
 * A duration in text, such as `250ms`, `1.5s`, `5m`, `24h`, `30d` or `1h30m`: the parts are in the order of their
 * units, the largest first, without spaces.
 */
export type DurationText = Whole | Fraction
