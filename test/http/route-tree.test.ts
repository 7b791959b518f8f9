import { expect, test } from 'vitest'
import { findRoute } from '../../src/hosts/api.js'
import { RouteTree } from '../../src/http/routes.js'

test.each([
  ['/api/v1/tasks', '/api/v1/tasks', []],
  ['/v1/task/', '/api/v1/tasks', []],
  ['/v1/tasks/task_1', '/api/v1/tasks/{task_id}', ['task_1']],
  ['/api/v1/task/a%2Fb/cancel/', '/api/v1/tasks/{task_id}/cancel', ['a%2Fb']],
  ['/files/task_1/0.png', '/files/{task_id}/{file}', ['task_1', '0.png']],
  ['/files/sb_1/task_1/0.png', '/files/{task_id}/{file}', ['task_1', '0.png']],
  ['/_sim/tasks/files/finish', '/_sim/tasks/{id}/finish', ['files']],
  ['/_sim/sandboxes/sb_1/clock', '/_sim/clock', []],
  ['/_sim/sandboxes/sb_1/', '/_sim/sandboxes/{id}', ['sb_1']],
])('the path %s leads to %s', (path, route, params) => {
  const found = findRoute(path)
  expect([found?.route.path, found?.params]).toEqual([route, params])
})

test.each([
  '',
  '/',
  '//',
  '*',
  'api/v1/tasks',
  '/api/v1',
  '/api/v1/tasksx',
  '/v1/tasks//',
  '/v1//tasks',
  '/v1/tasks/x/y',
  '/files/task_1/0.exe',
  '/files/job_1/0.png',
  '/_sim/tasks/task_1/files/1000',
  '/_sim/constructor',
])('the path %j leads nowhere', (path) => {
  expect(findRoute(path)).toBeUndefined()
})

test.each([
  ['/queue/a/b', '/queue/{model...}', ['a/b']],
  ['/queue/a', '/queue/{model...}', ['a']],
  ['/queue/a/b/requests/1', '/queue/{owner}/{app}/requests/{task_id}', ['a', 'b', '1']],
  ['/queue/a/b/c/requests/1', '/queue/{model...}', ['a/b/c/requests/1']],
  ['/queue/a/b/c/stream', '/queue/{model...}/stream', ['a/b/c']],
  ['/queue/stream', '/queue/{model...}', ['stream']],
  ['/queue/a//b', undefined, undefined],
  ['/queue', undefined, undefined],
])('a parameter for several segments matches %s if nothing else does', (path, route, params) => {
  const paths = ['/queue/{model...}', '/queue/{model...}/stream', '/queue/{owner}/{app}/requests/{task_id}']
  const found = new RouteTree(paths.map((path) => ({ path, methods: {} }))).find(path)
  expect([found?.route.path, found?.params]).toEqual([route, params])
})

test.each([
  ['/models/a:run', '/models/{model}:run', ['a']],
  ['/models/a:b:run', '/models/{model}:run', ['a:b']],
  ['/models/a:dry-run/', '/models/{model}:dry-run', ['a']],
  ['/models/a', '/models/{model}', ['a']],
  ['/models/a:stop', '/models/{model}', ['a:stop']],
  ['/models/:run', '/models/{model}', [':run']],
  ['/models/all:run', '/models/all:run', []],
  ['/models/a/tasks/1:cancel', '/models/{model}/tasks/{task_id}:cancel', ['a', '1']],
  ['/models/a:run/tasks', undefined, undefined],
])('constant text after a parameter matches in %s', (path, route, params) => {
  const paths = [
    '/models/{model}',
    '/models/{model}:run',
    '/models/{model}:dry-run',
    '/models/all:run',
    '/models/{model}/tasks/{task_id}:cancel',
  ]
  const found = new RouteTree(paths.map((path) => ({ path, methods: {} }))).find(path)
  expect([found?.route.path, found?.params]).toEqual([route, params])
})
