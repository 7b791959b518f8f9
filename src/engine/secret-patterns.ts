/** What replaces a secret. It is not a hash, because a short secret could be guessed from its hash. */
export const MASK = '***'

/** The forms of keys and tokens of well-known services, and of keys in general. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // A JSON Web Token.
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\b(?:sk|rk)[-_][\w-]{10,}/g,
  /\b(?:r8|hf|rpa|gsk|glpat|npm|dop_v1|gh[pousr]|github_pat|xai|xox[abeprs]|ya29|pk_live)[-_.][\w.-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bluma-[0-9a-f-]{30,}/g,
  /\bkey_[0-9a-f]{64,}/g,
  // A key of fal: an id, and 32 digits or more.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{32,}/g,
  // Webhooks of Slack and Discord, and bots of Telegram, have their secret in the path.
  /(?<=hooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/-]+/g,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]+/g,
  /\bbot\d{6,}:[\w-]{30,}/g,
  /(?<=\b(?:Bearer|Basic|Token|Key)\s{1,3})(?=[\w+/=~.-]*\d)[\w+/=~.-]{12,}/g,
]

/** A name and a value, as in `api_key=...`, `"password": "..."` or `X-Api-Key: ...`. */
const NAMED =
  /((?:api[-_]?key|secret|password|passwd|(?:access|auth|refresh|session|id)[-_]?token|authorization|signature)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:Bearer|Basic|Token|Key)\s{1,3})?)([^\s"'&,;<>*[\]]{6,})/gi

const SHORTEST = 12

/**
 * Masks what looks like a key or a token in a text.
 * @param found receives each of them
 */
export function maskPatterns(text: string, found: (secret: string) => void): string {
  if (text.length < SHORTEST) return text
  const masked = FORMS.reduce(
    (rest, form) =>
      rest.replace(form, (secret) => {
        found(secret)
        return MASK
      }),
    text,
  )
  return masked.replace(NAMED, (_, before: string, secret: string) => {
    found(secret)
    return before + MASK
  })
}
