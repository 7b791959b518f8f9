import { expect, it } from 'vitest'
import { parseRecording } from '../../../src/index.js'
import { headersFor } from '../../support/services.js'
import { record, serve } from './real-service.js'
import { RECORDED_SERVICES } from './recorded-services.js'

it('a replay repeats no header of a connection, and no line break, that someone has written into a recording', async () => {
  const service = RECORDED_SERVICES['replicate']
  if (service === undefined) throw new Error('Expected the service replicate')
  const create = (send: (url: string, init?: RequestInit) => Promise<Response>) =>
    send(service.origin + service.create, {
      method: 'POST',
      headers: headersFor(service),
      body: JSON.stringify(service.body),
    })
  const real = record('replicate', {})
  await create(real.send)
  const forged = '"content-type":"application/json\\r\\nx-own: 1","transfer-encoding":"chunked","x y":"z"'
  const text = real.text().replaceAll('"content-type":"application/json"', forged)
  const scenario = await parseRecording(text)
  const { status, headers } = await create(serve('replicate', { scenario }).send)
  expect(status).toBe(201)
  expect(headers.get('content-type')).toBe('application/json%0D%0Ax-own: 1')
  expect([headers.get('x-own'), headers.get('transfer-encoding')]).toEqual([null, null])
})
