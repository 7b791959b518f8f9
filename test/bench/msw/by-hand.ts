import { HttpResponse, http } from 'msw'

/** Returns a typical handwritten stub: a create that stores a finished task, and a poll that looks it up. */
export function byHand(baseUrl: string) {
  const tasks = new Map<string, object>()
  return [
    http.post(`${baseUrl}/tasks`, async ({ request }) => {
      const { model, input } = (await request.json()) as { model: string; input: object }
      const id = `task_${String(tasks.size).padStart(24, '0')}`
      const task = { id, model, status: 'processing', input, created_at: new Date().toISOString() }
      tasks.set(id, {
        ...task,
        status: 'succeeded',
        output: { images: [`https://files.example.com/${id}/0.png`] },
        cost_usd: 0.04,
        completed_at: new Date().toISOString(),
      })
      return HttpResponse.json(task)
    }),
    http.get(`${baseUrl}/tasks/:id`, ({ params }) => {
      const task = tasks.get(String(params['id']))
      if (task === undefined) return HttpResponse.json({ error: { code: 'task_not_found' } }, { status: 404 })
      return HttpResponse.json(task)
    }),
  ]
}
