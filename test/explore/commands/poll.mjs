/** Creates a task, polls it, and downloads its files. */
import { collect, create, main, orderOf, wait } from './service.mjs'

await main(async () => collect(await wait(await create(orderOf('waves')))))
