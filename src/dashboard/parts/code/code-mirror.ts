import {
  acceptCompletion,
  autocompletion,
  type CompletionSource,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentService,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { indentAfter } from '../../model/editor/yaml-context.js'
import type { PlacedMistake } from '../../model/json-flaw.js'

export type Language = 'json' | 'yaml' | 'text'

/** What both the viewer and the editor show. */
export interface Shown {
  readonly text: string
  readonly language: Language
  /** The accessible name. */
  readonly label: string
}

/** Longer texts have no colors, no folding and no wrapped lines, which would be found in steps that block the page. */
const LONGEST_COLORED = 1_000_000

/**
 * Shows a text to read. The view is in a shadow tree, where CodeMirror needs no style element, which the policy of the page
 * forbids.
 */
export function createViewer(host: HTMLElement, shown: Shown): EditorView {
  const attributes = { 'aria-label': shown.label, 'aria-readonly': 'true', tabindex: '0' }
  return createView(host, shown, [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of(attributes),
  ])
}

export interface EditorActions {
  onChange(text: string): void
  readonly complete: CompletionSource
}

/** Shows a text to edit. Tab moves the focus, as in other fields, unless there are suggestions. */
export function createEditor(host: HTMLElement, shown: Shown, actions: EditorActions): EditorView {
  return createView(host, shown, [
    history(),
    shown.language === 'yaml'
      ? indentService.of(({ state }, at) => indentAfter(state.doc.toString(), at))
      : [],
    bracketMatching(),
    lintGutter(),
    autocompletion({
      override: [actions.complete],
      icons: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      // A list that scrolls would need the focus.
      maxRenderedOptions: 10,
    }),
    EditorState.phrases.of({ Completions: 'Suggestions' }),
    EditorView.contentAttributes.of({ 'aria-label': shown.label, tabindex: '0' }),
    keymap.of([
      // The main button of the page does something with it.
      { key: 'Mod-Enter', run: () => true },
      { key: 'Tab', run: (view) => completionStatus(view.state) === 'active' && acceptCompletion(view) },
      ...completionKeymap,
      ...historyKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((each) => each.annotation(isFromOutside)))
        actions.onChange(update.state.doc.toString())
    }),
    EditorView.domEventHandlers({
      beforeinput: (event, view) => typeOver(event, view),
    }),
  ])
}

/**
 * Replaces the selection by what is typed. The browser would merge its lines with style attributes, which the policy of the
 * page forbids.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event
  if (inputType !== 'insertText' || data === null || view.state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' })
  return true
}

/** Marks mistakes at their places. */
export function markMistakes(view: EditorView, mistakes: readonly PlacedMistake[]): void {
  const found = mistakes.map(({ line = 1, column = 1, message }): Diagnostic => {
    const from = offsetAt(view, line, column)
    const to = Math.max(from, view.state.doc.lineAt(from).to)
    return { from, to, severity: 'error', message }
  })
  view.dispatch(setDiagnostics(view.state, found))
  view.contentDOM.ariaInvalid = String(found.length > 0)
}

/** The offset of a line and a column, both counted from 1, or of the nearest place in the text. */
export function offsetAt({ state: { doc } }: EditorView, line: number, column: number): number {
  const { from, length } = doc.line(Math.max(1, Math.min(line, doc.lines)))
  return from + Math.max(0, Math.min(column - 1, length))
}

/** Replaces the text from outside, such as with another scenario. The cursor stays where it can. */
export function setText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return
  const head = Math.min(view.state.selection.main.head, text.length)
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: head },
    annotations: isFromOutside.of(true),
  })
}

/** Marks a change that the user has not made. */
const isFromOutside = Annotation.define<boolean>()

function createView(host: HTMLElement, { text, language }: Shown, extensions: Extension): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const isShort = text.length <= LONGEST_COLORED
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        extensions,
        search({ top: true }),
        keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
        isShort ? EditorView.lineWrapping : [],
        isShort && language !== 'text'
          ? [
              lineNumbers(),
              language === 'json' ? json() : yaml(),
              codeFolding(),
              foldGutter(),
              syntaxHighlighting(COLORS),
            ]
          : [],
        THEME,
      ],
    }),
  })
}

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--muted)' },
])

const THEME = EditorView.theme({
  '&': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text)',
    fontSize: '12.5px',
    maxHeight: 'inherit',
    minHeight: 'inherit',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)', tabSize: '2' },
  '.cm-line': { padding: '0 14px', overflowWrap: 'anywhere' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: '0' },
  // On a phone, the numbers would take a fifth of the width.
  '@media (max-width: 480px)': {
    '.cm-lineNumbers': { display: 'none !important' },
    '.cm-line': { padding: '0 8px' },
  },
  '.cm-foldPlaceholder': { background: 'var(--line)', border: '0', color: 'var(--text)', padding: '0 6px' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': {
    background: 'var(--panel)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    color: 'var(--text)',
    font: '12.5px var(--sans)',
  },
  '.cm-panel.cm-search label': { font: '12.5px var(--sans)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    color: 'var(--text)',
    maxWidth: 'min(420px, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: 'none', fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', float: 'right', marginLeft: '16px', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionInfo': { font: '12.5px / 18px var(--sans)', padding: '8px 12px' },
  '.cm-diagnostic': { font: '12.5px / 18px var(--sans)', borderLeftColor: 'var(--bad)' },
})
