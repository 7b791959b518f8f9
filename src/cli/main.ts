#!/usr/bin/env node
import * as nodeModule from 'node:module'

// From Node 22, this caches the compiled code of all modules that are imported below.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void }
enableCompileCache?.()

const { run } = await import('./run.js')
await run()
