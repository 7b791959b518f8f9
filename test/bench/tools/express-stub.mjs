// A stub as people write it by hand: Express with its defaults, a map, and a state that depends on the time.
import express from 'express'

const [, , port, answer] = process.argv
const task = JSON.parse(answer)
const tasks = new Map([[task.request_id, { task, endsAt: Date.now() + 864_000_000 }]])

express()
  .get('/fal/queue/:owner/:app/requests/:id/status', (request, response) => {
    const found = tasks.get(request.params.id)
    if (found === undefined) return response.status(404).json({ detail: 'Not found' })
    const status = Date.now() < found.endsAt ? 'IN_PROGRESS' : 'COMPLETED'
    response.json({ ...found.task, status })
  })
  .listen(Number(port), '127.0.0.1')
