import * as v from 'valibot'

export const toolOutput = v.strictObject({
  result: v.pipe(
    v.record(v.string(), v.unknown()),
    v.metadata({ description: 'The result of the tool', examples: [{ status: 'completed' }] }),
  ),
})
