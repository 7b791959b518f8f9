/** The smallest pivot, relative to the largest entry of its row, of a system that has one solution. */
const SMALLEST_PIVOT = 1e-9

/**
 * Solves a system of linear equations by Gaussian elimination with scaled rows.
 * @param rows the coefficients of each equation, then its right side
 * @returns undefined if the equations depend on each other
 */
function solveLinear(rows: readonly (readonly number[])[]): number[] | undefined {
  const size = rows.length
  const left = rows.map((row) => {
    const scale = Math.max(...row.slice(0, size).map(Math.abs)) || 1
    return row.map((value) => value / scale)
  })
  for (let column = 0; column < size; column++) {
    const pivot = takePivot(left, column)
    if (pivot === undefined) return undefined
    for (const row of left) {
      if (row === pivot) continue
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1)
      for (let index = column; index <= size; index++)
        row[index] = (row[index] ?? 0) - factor * (pivot[index] ?? 0)
    }
  }
  return left.map((row, column) => (row[size] ?? 0) / (row[column] ?? 1))
}

/** Moves the row with the largest entry of a column to the position of the column. */
function takePivot(rows: number[][], column: number): number[] | undefined {
  let best = column
  for (let row = column; row < rows.length; row++) {
    if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row
  }
  const pivot = rows[best]
  if (pivot === undefined || Math.abs(pivot[column] ?? 0) < SMALLEST_PIVOT) return undefined
  rows[best] = rows[column] ?? pivot
  rows[column] = pivot
  return pivot
}

/** The least-squares solution: the factors of the columns whose sum is nearest to the targets. */
export function leastSquares(
  points: readonly (readonly number[])[],
  targets: readonly number[],
): number[] | undefined {
  const columns = points[0]?.keys() ?? []
  const rows = [...columns].map((row) => {
    const products = [...(points[0]?.keys() ?? [])].map((column) =>
      points.reduce((sum, point) => sum + (point[row] ?? 0) * (point[column] ?? 0), 0),
    )
    return [
      ...products,
      points.reduce((sum, point, index) => sum + (point[row] ?? 0) * (targets[index] ?? 0), 0),
    ]
  })
  return solveLinear(rows)
}
