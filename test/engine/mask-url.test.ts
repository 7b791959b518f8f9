import { expect, test } from 'vitest'
import { isMaskedUrl, maskUrl } from '../../src/engine/mask.js'

test.each([
  ['https://example.com/hooks', 'https://example.com/hooks'],
  ['https://example.com/hooks?id=7&token=abc', 'https://example.com/hooks?id=7&token=***'],
  ['https://example.com/hooks?TOKEN=abc#part', 'https://example.com/hooks?TOKEN=***#part'],
  ['https://example.com/?to%6ben=abc&b=2', 'https://example.com/?to%6ben=***&b=2'],
  ['https://example.com/?%61pi%2Dkey=abc', 'https://example.com/?%61pi%2Dkey=***'],
  ['https://example.com/?apiKey=a=b=c', 'https://example.com/?apiKey=***'],
  ['https://example.com/?a=1?token=2', 'https://example.com/?a=1?token=2'],
  ['https://example.com/?%E0%A4%A=1&sig=2', 'https://example.com/?%E0%A4%A=1&sig=***'],
  ['https://example.com/#access_token=abc', 'https://example.com/#access_token=***'],
  ['https://user:pass@example.com/a@b?c=d@e', 'https://***@example.com/a@b?c=d@e'],
  ['https://user:p@ss@example.com/', 'https://***@example.com/'],
  ['https://example.com:99999/?secret=x', 'https://example.com:99999/?secret=***'],
  ['not a URL', 'not a URL'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(url)).toBe(shown)
  expect(maskUrl(shown)).toBe(shown)
  expect(isMaskedUrl(shown)).toBe(shown.includes('***'))
})

test.each([
  ...['key', 'api_key', 'apikey', 'X-Api-Key', 'APIKey', 'authKey', 'clientSecret', 'webhooksecret'],
  ...[
    'signature',
    'X-Amz-Signature',
    'sig',
    'password',
    'passwd',
    'pwd',
    'auth',
    'auth_token',
    'code',
    'jwt',
  ],
  ...['accessToken', 'ACCESSTOKEN', 'X-Amz-Credential', 'Authorization', 'hub.secret', 'keys[]'],
  ...['session_id', 'sid', 'pin', 'otp', 'csrf', 'licenseKey', 'connection', 'private_id', 'db_cred'],
])('the value of %s is masked', (name) => {
  expect(maskUrl(`https://example.com/?${name}=v`)).toBe(`https://example.com/?${name}=***`)
})

test.each([
  ...['id', 'keyword', 'author', 'encode', 'design', 'passenger', 'monkey', 'task', 'env', ''],
  ...['page_token', 'max_tokens', 'spin', 'possession'],
])('the value of %j is shown', (name) => {
  expect(maskUrl(`https://example.com/?${name}=v`)).toBe(`https://example.com/?${name}=v`)
})

test.each([
  'https://example.com/',
  'https://example.com/?token=abc',
  'https://example.com/***',
  'https://example.com/?id=***',
])('%s is not mistaken for a masked URL', (url) => expect(isMaskedUrl(url)).toBe(false))
