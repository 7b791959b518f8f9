import { run } from '../run.js'

// The script of a single executable is CommonJS, which cannot wait at the top level.
run()
