// The app under test: a page with a button, and a server that calls the API with its key.
import { createServer } from 'node:http'

const PAGE = `<!doctype html>
<button>Generate</button> <output>idle</output> <p></p>
<script>
  const show = async (path, init) => {
    const { status, image } = await (await fetch(path, init)).json()
    document.querySelector('output').textContent = status
    if (image) document.querySelector('p').innerHTML = '<img alt="the result" src="' + image + '">'
    else if (status === 'processing') setTimeout(show, 100, '/status')
  }
  document.querySelector('button').onclick = () => show('/generate', { method: 'POST' })
</script>`

export function createApp(apiUrl) {
  const headers = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a lighthouse' } })
  let task
  return createServer(async (request, response) => {
    if (request.url === '/') return response.setHeader('Content-Type', 'text/html').end(PAGE)
    if (request.url === '/generate') {
      task = await (await fetch(`${apiUrl}/tasks`, { method: 'POST', headers, body })).json()
    } else if (request.url === '/status' && task !== undefined) {
      task = await (await fetch(`${apiUrl}/tasks/${task.id}`, { headers })).json()
    } else return response.writeHead(404).end()
    response.end(JSON.stringify({ status: task.status, image: task.output?.images[0] }))
  })
}
