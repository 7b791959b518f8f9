export const MOCKOON_CLI = 'node_modules/@mockoon/cli/bin/run.js'

const ID = /(?<=\/requests\/)[^/"]+/

/** Returns a Mockoon file with one route, which puts the id from the path into the answer. */
export function mockoonFile(path: string, answer: string): string {
  const response = {
    uuid: 'b1c9ab5e-5fd2-4b7e-8b57-0d7d5b0a6f01',
    body: withId(answer, path, "{{urlParam 'id'}}"),
    latency: 0,
    statusCode: 200,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    rules: [],
    rulesOperator: 'OR',
    default: true,
  }
  const route = {
    uuid: 'b1c9ab5e-5fd2-4b7e-8b57-0d7d5b0a6f02',
    type: 'http',
    method: 'get',
    endpoint: path.slice(1).replace(ID, ':id'),
    responses: [response],
    responseMode: null,
  }
  const environment = {
    uuid: 'b1c9ab5e-5fd2-4b7e-8b57-0d7d5b0a6f03',
    lastMigration: 33,
    name: 'fal',
    routes: [route],
  }
  return JSON.stringify({
    ...environment,
    hostname: '127.0.0.1',
    rootChildren: [{ type: 'route', uuid: route.uuid }],
  })
}

function withId(answer: string, path: string, expression: string): string {
  const [id = ''] = ID.exec(path) ?? []
  return answer.replaceAll(id, expression)
}
