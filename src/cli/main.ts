#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Since Node 22 what was compiled once need not be compiled again. Only what is imported after this profits.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void }
enableCompileCache?.()

const { run } = await import('./run.js')
await run()
