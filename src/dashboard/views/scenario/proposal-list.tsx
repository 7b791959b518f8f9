import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Proposal } from '../../model/editor/completions.js'
import { typeText } from '../../model/editor/completions.js'
import { plural } from '../../model/format.js'
import type { OpenList } from './use-completion.js'

/** The id of the list, and of its active option. */
export const LIST_ID = 'proposals'
export const ACTIVE_ID = 'proposal'

/** The height of the list with the description below it. */
const HEIGHT = 270

/** The proposals at the cursor, below its line or, if there is more space, above it. */
export function ProposalList({
  list: { proposals, active, place },
  boxHeight,
  onAccept,
}: {
  readonly list: OpenList
  /** The height of the editor in pixels. */
  readonly boxHeight: number
  readonly onAccept: (proposal: Proposal) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [scroller, option] = [box.current, document.getElementById(ACTIVE_ID)]
    if (scroller === null || option === null) return
    const { offsetTop, offsetHeight } = option
    scroller.scrollTop = Math.max(
      Math.min(scroller.scrollTop, offsetTop),
      offsetTop + offsetHeight - scroller.clientHeight,
    )
  }, [active, proposals])
  const isAbove = place.bottom + HEIGHT > boxHeight && place.top > boxHeight - place.bottom
  const current = proposals[active]
  return (
    <div
      class="proposals"
      style={{
        '--start': `calc(${place.left}px + ${place.column}ch)`,
        ...(isAbove ? { bottom: `${boxHeight - place.top}px` } : { top: `${place.bottom}px` }),
      }}
    >
      <div
        ref={box}
        class="proposal-list"
        id={LIST_ID}
        role="listbox"
        aria-label="Suggestions"
        tabIndex={0}
        // The editor keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {proposals.map((proposal, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the editor handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the editor has the focus
          <div
            key={proposal.label}
            id={index === active ? ACTIVE_ID : undefined}
            class="proposal"
            role="option"
            aria-selected={index === active}
            onClick={() => onAccept(proposal)}
          >
            <b>{proposal.label}</b>
            <small>
              {proposal.isRequired ? 'required' : proposal.isKey ? typeText(proposal.schema) : ''}
            </small>
          </div>
        ))}
      </div>
      {current?.schema.description !== undefined && <p>{current.schema.description}</p>}
      <span class="visually-hidden" role="status">
        {plural(proposals.length, 'suggestion')}
      </span>
    </div>
  )
}
