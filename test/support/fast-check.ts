import fc from 'fast-check'
import { runs } from './deep.js'

// The default number of runs of a property.
fc.configureGlobal({ numRuns: runs(30, 300) })
