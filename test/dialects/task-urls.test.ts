import { expect, it } from 'vitest'
import { Dialects } from '../../src/dialects/dialects.js'
import { taskUrls } from '../../src/dialects/reading/task-urls.js'

it.each([
  ['tasks', 'https://api.example.com/api/v1/tasks', 'https://api.example.com/api/v1/tasks/ID', undefined],
  ['openai', 'https://api.openai.com/v1/videos', 'https://api.openai.com/v1/videos/ID', undefined],
  ['openai', 'https://api.openai.com/v1/responses', 'https://api.openai.com/v1/responses/ID', undefined],
  [
    'fal',
    'https://queue.fal.run/workflows/acme/images?fal_webhook=https%3A%2F%2Fapp.example',
    'https://queue.fal.run/workflows/acme/images/requests/ID/status',
    'https://queue.fal.run/workflows/acme/images/requests/ID',
  ],
  [
    'fal',
    'http://127.0.0.1:4010/fal/queue/fal-ai/flux/dev',
    'http://127.0.0.1:4010/fal/queue/fal-ai/flux/requests/ID/status',
    'http://127.0.0.1:4010/fal/queue/fal-ai/flux/requests/ID',
  ],
  [
    'google',
    'https://generativelanguage.googleapis.com/v1beta/models/veo-3:predictLongRunning?key=k&alt=json',
    'https://generativelanguage.googleapis.com/v1beta/models/veo-3/operations/ID?key=k',
    undefined,
  ],
  [
    'replicate',
    'https://proxy.example/a/v1/models/acme/image/predictions',
    'https://proxy.example/a/v1/predictions/ID',
    undefined,
  ],
])('finds the URLs of a task of %s that a request to %s creates', async (name, create, poll, result) => {
  const dialect = await new Dialects().load(name)
  const found = taskUrls(dialect, { method: 'POST', url: new URL(create) }, 'ID')
  expect(found).toEqual({ poll, result })
})

it.each([
  ['fal', 'https://fal.run/fal-ai/flux/dev'],
  ['replicate', 'https://api.replicate.com/v1/files'],
])('finds no URLs of a task of %s after a request to %s', async (name, url) => {
  const dialect = await new Dialects().load(name)
  expect(taskUrls(dialect, { method: 'POST', url: new URL(url) }, 'ID')).toBeUndefined()
})
