import { counted } from '../../engine/counted.js'
import { lengthOf } from '../model/body-text.js'
import { type ComparedFact, type DiffRow, differingHeaders, diffRows } from '../model/comparison.js'
import '../styles/comparison.css'
import { Body } from './code/body.js'

type Names = readonly [string, string]

/** Facts about two things in two columns. */
export function ComparedFacts({
  facts,
  names,
}: {
  readonly facts: readonly ComparedFact[]
  readonly names: Names
}) {
  const isMixed = facts.some(({ differs }) => !differs)
  return (
    <table class="compared-facts">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Fact</span>
          </th>
          <Headings names={names} />
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, values, differs }) => (
          <tr key={name} class={differs ? 'differs' : undefined}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={index}>
                {value === '' ? '–' : value}{' '}
                {index === 1 && isMixed && differs && <span class="tag">differs</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Headings({ names }: { readonly names: Names }) {
  return names.map((name) => (
    <th key={name} scope="col">
      {name}
    </th>
  ))
}

/** In characters. A comparison of longer ones would block the page. */
const LONGEST = 200_000

/** Two bodies, or two values as JSON, side by side, without the equal lines that are far from a difference. */
export function Difference({
  label,
  names,
  values: [before, after],
}: {
  readonly label: string
  readonly names: Names
  readonly values: readonly [unknown, unknown]
}) {
  if ([before, after].some((each) => lengthOf(each, LONGEST) > LONGEST))
    return <p class="hint">One is longer than 200 kB, so they are not compared here.</p>
  const rows = diffRows(before, after)
  if (rows.length === 0) return <p class="hint">Neither has one.</p>
  if (rows.every(({ kind }) => kind !== 'differs'))
    return (
      <>
        <p class="hint">Both are equal.</p>
        <Body body={after} label={label} />
      </>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section class="diff" aria-label={`${label}: differences`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <Headings names={names} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} row={row} names={names} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What is compared of two requests or two answers. */
export interface ComparedMessage {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/** These differ in every answer. */
const CHANGING = ['date', 'x-request-id', 'transfer-encoding', 'connection', 'keep-alive']

/** What differs between two requests or two answers: headers and lines of the body. */
export function ComparedMessages({
  title,
  names,
  messages: [before, after],
}: {
  readonly title: string
  readonly names: Names
  readonly messages: readonly [ComparedMessage, ComparedMessage]
}) {
  const differing = differingHeaders(before.headers, after.headers)
  const headers = differing.filter(({ name }) => !CHANGING.includes(name))
  const isSame = before.body === after.body
  if (headers.length === 0 && isSame) return <p class="muted">{title}: the same headers and the same body.</p>
  return (
    <section class="changes" aria-label={title}>
      <b>{title}</b>
      {headers.length > 0 && <ComparedFacts facts={headers} names={names} />}
      {isSame ? (
        <p class="muted">The same body.</p>
      ) : (
        <Difference label={title} names={names} values={[before.body ?? '', after.body ?? '']} />
      )}
    </section>
  )
}

const KINDS = ['removed', 'added'] as const

function Row({ row, names }: { readonly row: DiffRow; readonly names: Names }) {
  if (row.kind === 'hidden')
    return (
      <tr class="diff-hidden">
        <td colSpan={2}>{counted(row.count, 'equal line')}</td>
      </tr>
    )
  return (
    <tr class={`diff-${row.kind}`}>
      {row.texts.map((text, index) =>
        row.kind === 'same' || text === undefined ? (
          <td key={index}>{text}</td>
        ) : (
          <td key={index} class={`diff-${KINDS[index]}`}>
            <span class="visually-hidden">Only {names[index]}: </span>
            {text}
          </td>
        ),
      )}
    </tr>
  )
}
