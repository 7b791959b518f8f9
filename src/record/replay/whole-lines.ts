type Piece = readonly [after: number, text: string]

/** Joins the pieces of a stream that end within a line, because a time or a URL may be in both. */
export function wholeLines(pieces: readonly Piece[]): readonly Piece[] {
  const lines: [number, string][] = []
  for (const [after, text] of pieces) {
    const last = lines.at(-1)
    if (last !== undefined && !last[1].endsWith('\n')) {
      last[0] = after
      last[1] += text
    } else lines.push([after, text])
  }
  return lines
}
