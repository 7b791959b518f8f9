/** Words that other tools use, or that come to mind first, with the names of fields that they may mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  action: ['then', 'operation'],
  assertions: ['expect'],
  base: ['extends'],
  body: ['answer', 'input'],
  callbacks: ['webhooks', 'webhook'],
  chance: ['rate'],
  checks: ['expect'],
  code: ['status'],
  concurrency: ['capacity', 'running'],
  condition: ['when', 'if'],
  conditions: ['when', 'if'],
  do: ['then'],
  duration: ['delay'],
  effect: ['then'],
  endpoint: ['operation', 'path'],
  endpoints: ['operations'],
  every: ['per'],
  expected: ['expect'],
  failure_rate: ['failures'],
  fields: ['answer'],
  filter: ['when', 'matches'],
  hooks: ['webhooks', 'webhook'],
  host: ['hosts'],
  if: ['when'],
  include: ['extends'],
  latency: ['delay'],
  limits: ['rate_limits'],
  match: ['when', 'matches'],
  parent: ['extends'],
  path: ['operation'],
  paths: ['operations'],
  percent: ['rate'],
  percentage: ['rate'],
  probability: ['rate'],
  processing_time: ['delay'],
  response: ['then', 'answer'],
  result: ['then', 'output'],
  route: ['operation'],
  routes: ['operations'],
  servers: ['hosts'],
  set: ['then'],
  sleep: ['delay'],
  states: ['statuses'],
  tests: ['expect'],
  throttle: ['rate_limits'],
  time: ['delay'],
  url: ['hosts', 'receivers'],
  where: ['when'],
  workers: ['running', 'capacity'],
}

/** Returns "did you mean X?" if a word has the meaning of a known field. */
export function synonymOf(word: string, known: readonly string[]): string | undefined {
  const name = word.toLowerCase().replaceAll('-', '_')
  const meant = Object.hasOwn(SYNONYMS, name)
    ? SYNONYMS[name]?.find((field) => known.includes(field))
    : undefined
  return meant && `did you mean \`${meant}\`?`
}
