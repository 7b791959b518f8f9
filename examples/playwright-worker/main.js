import { generate } from './app.js'

// Before the first request of the app. Only the development server has it: a build for production leaves it out.
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
