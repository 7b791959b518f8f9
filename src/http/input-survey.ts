import { type InputSurvey, shortened, surveyInput } from '../engine/tasks/survey-input.js'
import { readJsonObject } from './json-body.js'
import type { Exchange } from './operation.js'

/**
 * Walks the `input` of a create request; once, however often it is asked for.
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export function surveyedInput(exchange: Exchange): Promise<InputSurvey> {
  exchange.survey ??= survey(exchange)
  return exchange.survey
}

async function survey(exchange: Exchange): Promise<InputSurvey> {
  const { input = null } = await readJsonObject(exchange)
  return shortened(surveyInput(input))
}
