/** Creates three tasks at the same time, and reports the number of those that have failed. */
import { collect, create, Failure, main, orderOf, wait } from './service.mjs'

await main(async () => {
  const known = new Set()
  const one = async (prompt) => collect(await wait(await create(orderOf(prompt), known)))
  const results = await Promise.allSettled(['sea', 'sun', 'sky'].map(one))
  const failed = results.filter(({ status }) => status === 'rejected')
  if (failed.length > 0) throw new Failure(`${failed.length} tasks have failed.`)
})
