import { describe, expect, test } from 'vitest'
import { isLinkLocal, targetPolicy } from '../../../../src/engine/webhooks/attempts/target-policy.js'
import { LINK_LOCAL, LINK_LOCAL_HOSTS, LINK_LOCAL_URLS } from '../../../support/link-local-addresses.js'

test.each([...LINK_LOCAL, ...LINK_LOCAL_HOSTS])('%s is link-local', (address) =>
  expect(isLinkLocal(address)).toBe(true),
)

test.each([
  ...[
    '2002:a9ff::',
    '2002:1:a9fe::',
    '2001:1:a9fe::',
    '2001:db8::5601:1',
    '64:ff9b::7f00:1',
    '64:ff9c::a9fe:1',
  ],
  ...[
    '2001:db8::5eff:a9fe:1',
    '169.254',
    '169.254.1.1.1',
    '0x',
    'a.169.254',
    '::ffff:fea9:1',
    '1:2',
    ':',
    '%',
  ],
  ...['127.0.0.1', '::1', '::', '192.168.1.1', '168.254.1.1', '169.253.1.1', 'fec0::1', 'fd00:ec2::253'],
  ...[
    'fd00::254',
    '2001:db8::a9fe:a9fe',
    '::ffff:127.0.0.1',
    'fe80.example.com',
    '169.254.1.1.example.com',
    '',
  ],
])('%j is not link-local', (address) => expect(isLinkLocal(address)).toBe(false))

const METADATA = 'http://169.254.169.254/latest/meta-data'

describe('without patterns', () => {
  const { mayCall, mayReach } = targetPolicy(undefined)

  test.each([...LINK_LOCAL_URLS])('webhooks may not go to %s', (url) =>
    expect(mayCall(new URL(url).href)).toBe(false),
  )

  test('webhooks may go everywhere else, unless the name resolves to a link-local address', () => {
    expect(['http://localhost:3000/', 'https://example.com/', 'http://[::1]/'].every(mayCall)).toBe(true)
    expect(mayReach('http://example.com/', '93.184.215.14')).toBe(true)
    expect(mayReach('http://example.com/', '169.254.169.254')).toBe(false)
    expect(mayReach('http://example.com/', 'fe80::1%eth0')).toBe(false)
  })
})

describe('with patterns', () => {
  test.each(['*', 'http://*', 'http*', '*/latest/*', 'http://example.com/*', 'http://169.254.1.1/*'])(
    '%s does not name a link-local address',
    (pattern) => {
      const { mayCall, mayReach } = targetPolicy([pattern])
      expect(mayCall(METADATA)).toBe(false)
      expect(mayReach('http://example.com/latest/meta-data', '169.254.169.254')).toBe(false)
    },
  )

  test.each([METADATA, 'http://169.254.169.254/*', 'http://169.254.*', '*://169.254.169.254/*'])(
    '%s names one, by a URL as well as by a name that resolves to it',
    (pattern) => {
      const { mayCall, mayReach } = targetPolicy(['http://example.com/*', pattern])
      expect(mayCall(METADATA)).toBe(true)
      expect(mayReach('http://example.com/latest/meta-data', '169.254.169.254')).toBe(true)
      expect([mayCall('http://169.253.1.1/'), mayCall('http://other.com/')]).toEqual([false, false])
    },
  )

  test('an IPv6 address is written in brackets', () => {
    const { mayCall, mayReach } = targetPolicy(['*', 'http://[fe80::1]:3000/*'])
    expect([mayCall('http://[fe80::1]:3000/'), mayCall('http://[fe80::2]:3000/')]).toEqual([true, false])
    expect(mayReach('http://box.local:3000/hook', 'fe80::1%eth0')).toBe(true)
    expect(mayCall('http://localhost:3000/')).toBe(true)
  })
})
