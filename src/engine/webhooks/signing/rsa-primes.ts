import type { Random } from '../../random.js'
import { yieldToEventLoop } from '../../yield-to-event-loop.js'

const WORD_BITS = 32
const WORD = 2 ** WORD_BITS
const SMALL_PRIMES = primesBelow(5_000)
/** Enough for numbers that are drawn, rather than chosen to deceive the test. */
const BASES = [2n, 3n, 5n, 7n, 11n, 13n]

/**
 * Draws a prime number with its two highest bits set, so that the product of two has twice as many bits. It yields to the
 * event loop before each slow test.
 * @param bits a multiple of 32
 * @param exponent the public exponent of RSA, a prime that does not divide the prime number minus 1
 * @param knownStep the number of the candidate that is prime, if it is known, so that no test is necessary
 */
export async function drawPrime(
  random: Random,
  bits: number,
  exponent: bigint,
  knownStep?: number,
): Promise<bigint> {
  let number = 0n
  for (let drawn = 0; drawn < bits; drawn += WORD_BITS)
    number = (number << BigInt(WORD_BITS)) | BigInt(random.int(WORD))
  number |= (3n << BigInt(bits - 2)) | 1n
  if (knownStep !== undefined) return number + BigInt(knownStep)
  const remainders = SMALL_PRIMES.map((prime) => Number(number % BigInt(prime)))
  for (let step = 0; ; step += 2) {
    if (SMALL_PRIMES.some((prime, index) => ((remainders[index] ?? 0) + step) % prime === 0)) continue
    const candidate = number + BigInt(step)
    if ((candidate - 1n) % exponent === 0n) continue
    await yieldToEventLoop()
    if (isProbablyPrime(candidate)) return candidate
  }
}

/** The Miller-Rabin test. @param number odd, and greater than all bases */
export function isProbablyPrime(number: bigint): boolean {
  let odd = number - 1n
  let halvings = 0
  for (; odd % 2n === 0n; odd /= 2n) halvings += 1
  return BASES.every((base) => {
    let power = powerOf(base, odd, number)
    if (power === 1n) return true
    for (let count = 0; count < halvings; count++) {
      if (power === number - 1n) return true
      power = (power * power) % number
    }
    return false
  })
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    const square = result * result
    result = (bit === '1' ? square * base : square) % modulus
  }
  return result
}

/** The inverse of a number: their product is 1 more than a multiple of the modulus. */
export function inverseOf(number: bigint, modulus: bigint): bigint {
  let [rest, next, factor, nextFactor] = [number, modulus, 1n, 0n]
  while (next !== 0n) {
    const quotient = rest / next
    ;[rest, next] = [next, rest - quotient * next]
    ;[factor, nextFactor] = [nextFactor, factor - quotient * nextFactor]
  }
  return ((factor % modulus) + modulus) % modulus
}

/** The odd primes below a number; candidates are odd. */
function primesBelow(end: number): readonly number[] {
  const primes: number[] = []
  for (let number = 3; number < end; number += 2)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  return primes
}
