export { type HandlersOptions, handlers } from './handlers.js'
