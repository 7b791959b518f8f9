/** What replaces a secret. It is not a hash, because a short secret could be guessed from its hash. */
export const MASK = '***'

/** The forms of keys and tokens of well-known services, and of keys in general. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // A JSON Web Token.
  /eyJ[\w-]{5,300}\.[\w-]{5,}(?:\.[\w-]*)*/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\b(?:sk|rk|pplx|nvapi|tvly|sbp|sb_secret|PMAK|CFPAT|HRKU|pypi-AgEI|AGE-SECRET-KEY)[-_][\w-]{10,}/g,
  /\b(?:r8|hf|rpa|gsk|glpat|gl(?:dt|rt|cbt|ptt|ft|agent|oas)|npm|do[opr]_v1|gh[pousr]|github_pat|xai|xapp|xox[abeprs]|ya29|GOCSPX|shp(?:at|ca|pa|ss)|lin_api|ntn|pk_live|pk_test|figd|sntry[su]|glsa|pscale_tkn|hv[sb]|dp\.[a-z]{2,5}|SG)[-_.][\w.-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bluma-[0-9a-f-]{30,}/g,
  /\bkey_[0-9a-f]{64,}/g,
  /\b(?:SK|dapi|key-)[0-9a-f]{32}\b/g,
  // A key of fal: an id, and 32 digits or more.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{32,}/g,
  // Webhooks of Slack and Discord, and bots of Telegram and Discord, have their secret in the path.
  /(?<=hooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/-]+/g,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]+/g,
  /\bbot\d{6,}:[\w-]{30,}/g,
  /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g,
  /(?<=\b(?:Bearer|Basic|Token|Key)\s{1,3})(?=[\w+/=~.-]*\d)[\w+/=~.-]{12,}/g,
  /(?<=\b(?:Bearer|Basic)\s{1,3})[\w+/=~.-]{16,}/g,
]

/** A name and a value, as in `api_key=...`, `"password": "..."` or `X-Api-Key: ...`. */
const NAMED =
  /((?:api[-_]?key|secret|password|passwd|(?:access|auth|refresh|session|id)[-_]?token|authorization|signature)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:Bearer|Basic|Token|Key)\s{1,3})?)([^\s"'&,;<>*[\]]{6,})/gi

const SHORTEST = 12

/** Finds the keys and tokens in a text by their form. */
export function findPatterns(text: string): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = []
  if (text.length < SHORTEST) return found
  for (const form of FORMS)
    for (const { 0: secret, index } of text.matchAll(form))
      found.push({ start: index, end: index + secret.length })
  return found
}

/** Masks what looks like a key or a token in a text, by its form or its name. */
export function maskPatterns(text: string): string {
  if (text.length < SHORTEST) return text
  return FORMS.reduce((rest, form) => rest.replace(form, MASK), text).replace(NAMED, `$1${MASK}`)
}
