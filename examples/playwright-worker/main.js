import { generate } from './app.js'

// Start the service before the first request. Only the development server does this; production builds omit it.
if (import.meta.env.DEV) await import('./service.js')

const status = document.querySelector('output')
document.querySelector('button').addEventListener('click', async () => {
  try {
    const url = await generate('a lighthouse', (text) => {
      status.textContent = text
    })
    const image = new Image()
    image.alt = 'the result'
    image.src = url
    document.querySelector('p').replaceChildren(image)
  } catch (error) {
    status.textContent = error.message
  }
})
status.textContent = 'ready'
