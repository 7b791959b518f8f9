import type { AttemptShape } from '../../../control/shapes.js'
import { bytes, clockTime, duration, prettyJson } from '../../model/format.js'
import { verifyCommand } from '../../model/verify-command.js'
import { Code } from '../../parts/code.js'
import { Icon } from '../../parts/icon.js'

/** One attempt: the request, the response and the verification of the signature. */
export function AttemptView({ attempt }: { readonly attempt: AttemptShape }) {
  const {
    number,
    status,
    error,
    started_at: at,
    took_ms: took,
    flaw,
    retry_at: retry,
    request,
    response,
  } = attempt
  const isGood = status !== undefined && status >= 200 && status < 300
  const size = Math.floor((request.body_base64.replace(/=+$/, '').length * 3) / 4)
  const signature = Object.entries(request.headers).find(([name]) => name.toLowerCase().includes('signature'))
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3 class={isGood ? 'state state-succeeded' : 'state state-failed'}>
        <Icon name={isGood ? 'succeeded' : 'failed'} />
        Attempt {number}: {status ?? error ?? 'no answer'}
      </h3>
      <p class="muted">
        {at !== undefined && <>at {clockTime(Date.parse(at), true)}, </>}
        {bytes(size)} in {duration(took)}
        {status !== undefined && error !== undefined && <>, {error}</>}
        {retry !== undefined && <>; retry at {clockTime(Date.parse(retry))}</>}
      </p>
      {flaw !== undefined && <p class="tag">webhook fault: {flaw}</p>}
      <details>
        <summary>Request</summary>
        <Code text={headersText(request.headers)} label="Request headers" />
        <Code text={prettyJson(request.body)} label="Request body" />
      </details>
      {response !== undefined && (
        <details>
          <summary>Response</summary>
          {response.partial !== undefined && <p class="muted">Incomplete: {response.partial}</p>}
          <Code
            text={`${response.status}\n${headersText(response.headers ?? {})}\n\n${response.body ?? ''}`.trim()}
            label="Response"
          />
        </details>
      )}
      {signature !== undefined && !isVersioned(signature[1]) && (
        <details>
          <summary>Verify the signature</summary>
          <p class="muted">
            <code>{signature[0]}</code> is the HMAC-SHA256 of the raw body, keyed with the whole secret. This
            command prints the expected value:
          </p>
          <Code text={verifyCommand(request.body_base64)} label="Command" />
          <Code text={signature[1]} label="Sent signature" />
        </details>
      )}
    </section>
  )
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Whether a signature also covers a time or an id, so that the command for the raw body does not verify it. */
function isVersioned(signature: string): boolean {
  return /\bv1[=,]/.test(signature)
}
