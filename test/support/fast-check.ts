import fc from 'fast-check'
import { runs } from './deep.js'

// A property that says nothing else is tried this often.
fc.configureGlobal({ numRuns: runs(30, 300) })
