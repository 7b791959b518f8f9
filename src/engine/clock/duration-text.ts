type Unit = 'd' | 'h' | 'm' | 's' | 'ms'
/** `bigint` lets no blank in between, which `number` would. */
type Part<U extends Unit> = '' | `${bigint}${U}`
/** A `bigint` has no zero in front of it, so up to two zeros are let stand after the point. */
type Decimal = `${bigint}.${'' | '0' | '00'}${bigint}`

type Whole = Exclude<`${Part<'d'>}${Part<'h'>}${Part<'m'>}${Part<'s'>}${Part<'ms'>}`, ''>
type Fraction = `${Decimal}${Unit}` | `${Part<'d'>}${Part<'h'>}${Part<'m'>}${Decimal}s`

/**
 * A duration in text, such as `250ms`, `1.5s`, `5m`, `24h`, `30d` or `1h30m`: the parts go from the largest unit to the
 * smallest, without blanks.
 */
export type DurationText = Whole | Fraction
