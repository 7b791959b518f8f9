import type { TaskShape } from '../../../control/shapes.js'
import { count, prettyJson } from '../../model/format.js'
import { Code } from '../../parts/code.js'

interface Message {
  readonly content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: readonly {
    readonly id?: string
    readonly function?: { readonly name?: string; readonly arguments?: string }
  }[]
}

/** The message of an LLM: its text, its tool calls and its token usage. */
export function Reply({ output }: { readonly output: NonNullable<TaskShape['output']> }) {
  const message = Object(output['message']) as Message
  const usage = Object.entries(Object(output['usage']) as Record<string, number>)
  return (
    <div class="reply">
      {typeof message.content === 'string' &&
        message.content.split(/\n{2,}/).map((text, index) => <p key={index}>{text}</p>)}
      {message.tool_calls?.map((call, index) => (
        <div key={call.id ?? index} class="tool-call">
          <h3>
            Tool call: <code>{call.function?.name}</code>
          </h3>
          <Code text={prettyJson(call.function?.arguments ?? '')} label="Arguments" />
        </div>
      ))}
      <ul class="usage">
        {typeof output['finish_reason'] === 'string' && (
          <li>finish reason: {output['finish_reason'].replace('_', ' ')}</li>
        )}
        {usage.map(([name, tokens]) => (
          <li key={name}>
            {name.replaceAll('_', ' ')} <b>{count(tokens)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
