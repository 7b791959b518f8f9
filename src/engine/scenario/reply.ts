/** How an LLM replies. The simulator generates missing parts. */
export interface ReplySettings {
  /** The text of the reply, with placeholders such as `{{last_user_message}}`. */
  readonly text?: string | undefined
  /** When the model calls one of the tools in the request. */
  readonly calls?: 'auto' | 'always' | 'never' | { readonly tool: string } | undefined
  /** Overrides the finish reason, for example with `content_filter`. */
  readonly finish_reason?: string | undefined
}
