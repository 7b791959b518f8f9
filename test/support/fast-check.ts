import fc from 'fast-check'
import { runs } from './deep.js'

// A fixed seed: a run fails because of a change, not by chance. `FC_SEED=7 npm run test:deep` tries other values.
fc.configureGlobal({ numRuns: runs(10, 100), seed: Number(process.env.FC_SEED ?? 1) })
