import { expect } from 'vitest'

interface GeneratedFile {
  readonly uint8Array: Uint8Array
  readonly mediaType: string
}

const startOf = ({ uint8Array }: GeneratedFile) => Buffer.from(uint8Array).toString('latin1', 0, 12)

export function expectImage(file: GeneratedFile): void {
  expect(file.mediaType).toMatch(/^image\//)
  expect(startOf(file)).toMatch(/PNG|JFIF|WEBP/)
}

export function expectVideo(file: GeneratedFile): void {
  expect(file.mediaType).toBe('video/mp4')
  expect(startOf(file)).toContain('ftyp')
}

export function expectSpeech(file: GeneratedFile): void {
  expect(file.mediaType).toMatch(/^audio\//)
  expect(startOf(file)).toMatch(/^(?:ID3|RIFF|ÿû)/)
}
