import { isoTime } from '../../engine/clock/instants.js'

/*
 * The distinguished encoding rules of ASN.1, as far as a certificate needs them (ITU-T X.690).
 */

function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const digits: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff)
  return [0x80 | digits.length, ...digits]
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...parts)
}

export function setOf(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x31, ...parts)
}

/** An integer below 128. */
export function small(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]))
}

/** A positive integer, from its bytes. */
export function unsigned(digits: Uint8Array): Buffer {
  // The first bit is the sign, and the first byte must not be zero.
  return tagged(0x02, Buffer.from([0x01]), digits)
}

export function flag(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0x00]))
}

export function bytes(content: Uint8Array): Buffer {
  return tagged(0x04, content)
}

/** A string of bits whose number is a multiple of eight. */
export function bits(content: Uint8Array): Buffer {
  return tagged(0x03, Buffer.from([0]), content)
}

export function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text))
}

/** @param time epoch milliseconds, before 2050 */
export function utcTime(time: number): Buffer {
  const digits = isoTime(time).replace(/\D/g, '')
  return tagged(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

/** A value whose place in its sequence says its type. @param isPlain whether it replaces the tag of a plain value */
export function contextual(place: number, content: Uint8Array, isPlain = false): Buffer {
  return tagged((isPlain ? 0x80 : 0xa0) | place, content)
}

export function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const arcs = [first * 40 + second, ...rest]
  return tagged(0x06, Buffer.from(arcs.flatMap(base128)))
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift(0x80 | (rest & 0x7f))
  return digits
}
