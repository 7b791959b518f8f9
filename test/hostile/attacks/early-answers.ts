import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'

const MEGABYTES = [1, 5, 11, 50]
const TIMES = 20

/** Sends each body with a header `Connection: close`, as urllib always does, and prints each status that it sees. */
const CLIENT = `
import sys, urllib.error, urllib.request

KEY, JSON = {'Authorization': 'Bearer k'}, {'Content-Type': 'application/json'}
origin, times = sys.argv[1], int(sys.argv[2])
for megabytes in map(int, sys.argv[3:]):
    body = b'x' * (megabytes * 1_000_000)
    rejected = [
        (401, 'POST', '/api/v1/tasks', JSON),
        (404, 'POST', '/api/v1/nothing', {**KEY, **JSON}),
        (405, 'PUT', '/api/v1/tasks', {**KEY, **JSON}),
        (415, 'POST', '/api/v1/tasks', {**KEY, 'Content-Type': 'text/plain'}),
    ]
    if megabytes > 10:
        rejected.append((413, 'POST', '/api/v1/tasks', {**KEY, **JSON}))
    for time in range(times):
        expected, method, path, headers = rejected[time % len(rejected)]
        request = urllib.request.Request(origin + path, data=body, headers=headers, method=method)
        try:
            urllib.request.urlopen(request, timeout=30)
            seen = 'success'
        except urllib.error.HTTPError as error:
            seen = 'right' if error.code == expected else f'status {error.code} instead of {expected}'
        except Exception as error:
            seen = f'no status: {error}'
        print(f'{megabytes} MB: {seen}')
`

/** A client that sends its whole body before it reads the answer must still see the status. */
export const earlyAnswers: Check = {
  title: 'early answers reach clients that still send',
  async run(figure) {
    if (!(await hasPython())) return figure('skipped: there is no python3 on this machine')
    const server = await Server.start(['--clock', 'manual'])
    const origin = `http://127.0.0.1:${server.port}`
    const sizes = MEGABYTES.map(String)
    const { stdout } = await promisify(execFile)('python3', ['-c', CLIENT, origin, String(TIMES), ...sizes])
    const lines = stdout.trim().split('\n')
    const wrong = lines.filter((line) => !line.endsWith(': right'))
    const all = MEGABYTES.length * TIMES
    figure(`${lines.length - wrong.length} of ${all} urllib requests of 1 to 50 MB saw the HTTP status`)
    expectThat(lines.length === all && wrong.length === 0, wrong.slice(0, 3).join('; '))
    await server.kill()
  },
}

async function hasPython(): Promise<boolean> {
  return promisify(execFile)('python3', ['--version']).then(
    () => true,
    () => false,
  )
}
