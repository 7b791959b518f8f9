/**
 * The differential entropy of a sample in nats, from the distances between its values.
 * @param sorted the sample
 * @param step the smallest distance that counts: the resolution of the values
 * @see Vasicek, "A Test for Normality Based on Sample Entropy", 1976
 */
export function entropyOf(sorted: Float64Array, step: number): number {
  const size = sorted.length
  const reach = Math.max(1, Math.round(Math.sqrt(size) / 2))
  let sum = 0
  for (let index = 0; index < size; index++) {
    const low = sorted[Math.max(0, index - reach)] ?? 0
    const high = sorted[Math.min(size - 1, index + reach)] ?? 0
    sum += Math.log((size / (2 * reach)) * Math.max(high - low, step))
  }
  return sum / size
}
