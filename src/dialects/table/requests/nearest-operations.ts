import leven from 'leven'

/** How many operations a message names. */
const MOST = 3

/**
 * Names the operations of a dialect whose paths are most similar to that of a request, and where all of them are.
 * @param operations a method and a path each, such as `GET /v1/tasks/{task_id}`
 * @param asked the method and the path of the request
 */
export function nearestOperations(operations: readonly string[], asked: string, dialect: string): string {
  const all = `/_sim/dialects/${dialect}/openapi.json`
  const nearest = operations
    .map((operation) => ({ operation, distance: distanceOf(operation, asked) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST)
    .map(({ operation }) => operation)
  const others = operations.length > MOST ? `, and others: GET ${all} describes all ${operations.length}` : ''
  return `The dialect ${dialect} has ${nearest.join(', ')}${others}.`
}

/** How many segments differ, and by how much. A parameter is like any segment. A wrong method counts least. */
function distanceOf(operation: string, asked: string): number {
  const [[method, path], [askedMethod, askedPath]] = [partsOf(operation), partsOf(asked)]
  let distance = method === askedMethod ? 0 : 0.5
  for (let index = 0; index < Math.max(path.length, askedPath.length); index++) {
    const [known, given] = [path[index], askedPath[index]]
    if (known === undefined || given === undefined) distance += 1
    else if (!known.includes('{')) distance += leven(known, given) / Math.max(known.length, given.length, 1)
    else distance += 0.25
  }
  return distance
}

function partsOf(operation: string): readonly [method: string, path: readonly string[]] {
  const [method = '', path = ''] = operation.split(' ')
  return [method, path.split('/').filter((segment) => segment !== '')]
}
