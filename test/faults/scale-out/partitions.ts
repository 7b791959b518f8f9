import { connect } from '../../../src/client/index.js'
import { type Check, eventually, expectEqual, expectThat } from '../../support/check.js'
import { startReceiver } from '../../support/receiver.js'
import { NAMES, openService } from './any-service.js'
import { withPartitions } from './two-partitions.js'

const KEYS = ['key-1', 'key-2', 'key-3', 'key-4', 'key-5', 'key-6']
const SANDBOXES = 16

/** What clients of two partitions behind nginx see. */
export const partitions: readonly Check[] = [
  {
    title: 'scale-out: each key gets its tasks, files and webhooks, in every dialect',
    run: (figure) =>
      withPartitions(async ({ origin, partitions }) => {
        const receiver = await startReceiver()
        const announced: string[] = []
        let files = 0
        for (const name of NAMES)
          for (const key of KEYS) {
            const client = await openService(name, origin, key)
            const { id, hasWebhook } = await client.create(receiver.url)
            files += await client.download(id)
            if (hasWebhook) announced.push(id)
          }
        const [a, b] = await Promise.all(partitions.map(tasksIn))
        figure(`${a} and ${b} tasks in the partitions, ${files} files, ${announced.length} webhooks`)
        expectEqual('the number of tasks', Number(a) + Number(b), NAMES.length * KEYS.length)
        expectThat(Number(a) > 0 && Number(b) > 0, 'Expected tasks in both partitions')
        await eventually('every webhook arrives', () =>
          announced.every((id) => receiver.bodies.some((body) => body.includes(id))),
        )
        receiver.close()
      }),
  },
  {
    title: 'scale-out: new sandboxes are spread, and their keys, files and control operations find them',
    run: (figure) =>
      withPartitions(async ({ origin, partitions }) => {
        const control = connect(origin)
        const owners = new Set<string>()
        for (let count = 1; count <= SANDBOXES; count++) {
          const { id, api_key: key } = await control.sandboxes.create({ name: `worker-${count}` })
          owners.add(id.replace(/_[^_]*$/, ''))
          for (const name of ['luma', 'replicate']) {
            const client = await openService(name, origin, `${key}.alice`)
            const { id: task } = await client.create(origin)
            expectEqual(`the number of files and streams of ${name}`, await client.download(task), 1)
          }
          expectEqual('the id of the sandbox', (await control.sandboxes.control(id).state()).sandbox, id)
        }
        const counts = await Promise.all(
          partitions.map(async (partition) => (await connect(partition).sandboxes.list()).length),
        )
        figure(`${counts.join(' and ')} sandboxes in the partitions`)
        expectEqual('the partitions with sandboxes', [...owners].sort(), ['sb_a', 'sb_b'])
      }),
  },
  {
    title: 'scale-out: a file that is announced with a key is sent and downloaded without one',
    run: () =>
      withPartitions(async ({ origin }) => {
        for (const key of KEYS) {
          const headers = { authorization: `Key ${key}`, 'content-type': 'application/json' }
          const body = JSON.stringify({ file_name: 'a.txt', content_type: 'text/plain' })
          const path = '/fal/rest/storage/upload/initiate'
          const announced = await fetch(origin + path, { method: 'POST', headers, body })
          const { upload_url: url } = (await announced.json()) as { upload_url: string }
          const sent = await fetch(url, { method: 'PUT', body: 'content' })
          expectEqual('the status of the upload', sent.status, 200)
          expectEqual('the file', await (await fetch(url)).text(), 'content')
        }
      }),
  },
  {
    title:
      'scale-out: control operations without a partition are refused, and each partition has its own port',
    run: () =>
      withPartitions(async ({ origin, partitions }) => {
        for (const path of ['/_sim/', '/_sim/state', '/_sim/sandboxes']) {
          const response = await fetch(origin + path)
          expectEqual(`the status of ${path}`, response.status, 421)
          expectThat((await response.text()).includes('4011 (a)'), 'Expected the ports of the partitions')
        }
        const states = await Promise.all(partitions.map((partition) => connect(partition).state()))
        expectEqual(
          'the partitions',
          states.map(({ partition }) => partition),
          ['a', 'b'],
        )
      }),
  },
]

/** The number of tasks in a partition. */
async function tasksIn(origin: string): Promise<number> {
  const { tasks } = await connect(origin).state()
  return Object.values(tasks).reduce((total, count) => total + count, 0)
}
