/**
 * Measures two things in turn, and gives the values of each round side by side. Who goes first changes from
 * round to round: a machine that slows down meanwhile then does no harm to one more than to the other.
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
