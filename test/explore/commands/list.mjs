/** Creates a task, and sees its state in the list only. */
import { collect, create, insist, main, orderOf, URL, wait } from './service.mjs'

await main(async () => {
  const id = await create(orderOf('waves'))
  const find = async () => (await insist('GET', `${URL}/tasks?limit=50`)).data?.find((task) => task.id === id)
  await collect(await wait(id, find))
})
