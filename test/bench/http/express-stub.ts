/** A stub as people write it by hand: Express with a body parser and its defaults, and tasks in a map. */
import express from 'express'
import { serveHere } from '../../support/receiver.js'
import { answerParent } from '../worker.js'
import type { Sample } from './sample.js'

const sample = JSON.parse(process.argv[2] ?? '') as Sample
const example = JSON.parse(sample.poll.body) as object
const tasks = new Map<string, object>()

const app = express()
  .use(express.json())
  .post('/api/v1/tasks', (request, response) => {
    const id = `task_${String(tasks.size).padStart(24, '0')}`
    tasks.set(id, { ...example, id, model: request.body.model, input: request.body.input })
    response.json({ ...tasks.get(id), status: 'processing', output: undefined })
  })
  .get('/api/v1/tasks/:id', (request, response) => {
    const task = tasks.get(request.params.id)
    if (task === undefined) response.status(404).json({ error: { code: 'not_found' } })
    else response.json(task)
  })

const { port } = await serveHere(app)
answerParent({ port: () => port })
