export { type AppOptions, createApp } from './app.js'
export { type ListenOptions, listen, type RunningServer } from './listen.js'
