/** MSW handlers with mistakes, for `--handlers`: each path fails in its own way. */
import { readFile } from 'node:fs/promises'
import { HttpResponse, http } from 'msw'

const outside = {
  timer: () => {
    setTimeout(() => {
      throw new Error('in a timer')
    })
  },
  undefined: () => {
    setTimeout(() => {
      throw undefined
    })
  },
  microtask: () => {
    queueMicrotask(() => {
      throw 'a string'
    })
  },
  rejection: () => {
    Promise.reject(new Error('not awaited'))
  },
  empty: () => {
    Promise.reject()
  },
  file: () => {
    readFile('/nothing/here')
  },
}

const inside = {
  request: () => {
    throw new Error('in a request')
  },
  nothing: () => {
    throw undefined
  },
  status: () => Object.defineProperty(HttpResponse.json({}), 'status', { value: 1000 }),
}

setTimeout(() => {
  throw new Error('on import')
})

export default [
  ...Object.entries(outside).map(([name, fail]) =>
    http.get(`*/outside/${name}`, () => {
      fail()
      return HttpResponse.json({})
    }),
  ),
  ...Object.entries(inside).map(([name, fail]) => http.get(`*/inside/${name}`, fail)),
]
