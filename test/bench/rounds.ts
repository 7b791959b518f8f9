/**
 * Measures two things in turn, and returns the values of each round in pairs. The order changes from round to round,
 * so that a machine that slows down affects both equally.
 */
export async function alternate<Value>(
  rounds: number,
  ours: () => Promise<Value>,
  theirs: () => Promise<Value>,
): Promise<{ ours: Value; theirs: Value }[]> {
  const pairs: { ours: Value; theirs: Value }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await ours()
      pairs.push({ ours: first, theirs: await theirs() })
    } else {
      const first = await theirs()
      pairs.push({ theirs: first, ours: await ours() })
    }
  }
  return pairs
}
