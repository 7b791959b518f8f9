/** Starts a tasksim server with a finished picture and a finished video, for a page of another origin. */
export async function serveFiles() {
  const { createSimulator }: typeof import('../../src/index.js') = await import(compiled('index.js'))
  const { listen }: typeof import('../../src/hosts/express/index.js') = await import(
    compiled('hosts/express/index.js')
  )
  const sim = createSimulator({ scenario: 'instant' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  const urlOf = async (model: string, input: object) => {
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const body = JSON.stringify({ model, input })
    const { id } = await json(fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body }))
    const { output } = await json(fetch(`${baseUrl}/tasks/${id}`, { headers }))
    return String(output.video ?? output.images[0])
  }
  return {
    video: await urlOf('acme/video-1', { prompt: 'waves', duration: 8, generate_audio: true }),
    image: await urlOf('acme/image-1', { prompt: 'a lighthouse at dawn' }),
    async close() {
      sim.close()
      await close()
    },
  }
}

function compiled(path: string): string {
  return new URL(`../../dist/${path}`, import.meta.url).href
}

// biome-ignore lint/suspicious/noExplicitAny: a missing field fails the check that needs it
async function json(answer: Promise<Response>): Promise<any> {
  return (await answer).json()
}
