import type { RecordedView, ShownAnswer } from './recorded-course.js'

/** Makes the recorded answer for a client. @param now epoch milliseconds */
export type RejectedAnswer = (now: number, baseOf: RecordedView['baseOf']) => ShownAnswer

/** Thrown for an order that the recorded service has rejected. */
export class RecordedRejection extends Error {
  override readonly name = 'RecordedRejection'
  readonly answer: RejectedAnswer

  constructor(answer: RejectedAnswer) {
    super('The recorded service rejected this request.')
    this.answer = answer
  }
}
