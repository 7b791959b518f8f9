// The name of the parameter may be percent-encoded; a reader decodes it to the same name.
const TOKEN_PARAMETER = /((?:^|&)(?:t|%74)(?:o|%6f)(?:k|%6b)(?:e|%65)(?:n|%6e)=)[^&]*/gi

/** A query as it may be logged: without the control token. */
export function withoutToken(query: string): string {
  return query.replace(TOKEN_PARAMETER, '$1***')
}
