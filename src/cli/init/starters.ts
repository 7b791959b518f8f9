/**
 * The scenario that `tasksim init` writes.
 * @param head the first lines, which name the JSON Schema; may be empty
 */
export const scenarioStarter = (
  head: string,
) => `${head}# The behavior of the simulated service. Serve it with \`tasksim ./tasksim.yaml\`, which reloads it on save.
# \`tasksim validate tasksim.yaml\` checks the file and runs its \`expect:\`.

extends: default # a shipped scenario or the path of another file

# Settings by kind: image, video, audio, tool, llm, transcript.
kinds:
  video:
    delay: { median: 20s, p95: 60s } # or a fixed time (20s), or a range ({ min: 10s, max: 30s })
    failures:
      rate: 0.05 # 1 in 20
      errors:
        - { code: content_policy, message: The prompt was rejected by the content policy., weight: 3 }
        - { code: internal_error, message: The worker crashed. }
    price: { per_second: 0.10 } # US dollars; failed and canceled tasks cost nothing

# Settings by model id; * matches any characters. They override the settings of the kind.
models:
  acme/image-fast: { kind: image, delay: 500ms, price: { per_image: 0.01 } }

# Rules override both. The first rule that matches a task applies.
rules:
  - name: forbidden words
    when: { input: { prompt: { matches: forbidden, ignore_case: true } } }
    then:
      outcome: failed # or succeeded, canceled, stuck (never ends)
      error: { code: content_policy, message: The prompt was rejected by the content policy. }
  - name: long videos take long
    when: { kind: video, input: { duration: { min: 30 } } }
    then: { delay: 5m }

# Receivers of the webhooks of every task, in addition to the webhook_url of the request.
# webhooks:
#   receivers: [http://localhost:3000/webhooks]

expect:
  - create: { model: acme/image-fast, input: { prompt: a lighthouse } }
    at:
      0s: { status: processing, output: null }
      1s: { status: succeeded, cost_usd: 0.01 }
    webhooks: [task.succeeded]
  - create: { model: acme/image-fast, input: { prompt: something Forbidden } }
    at:
      1s: { status: failed, error: { code: content_policy }, cost_usd: 0 }
`

/**
 * The dialect file that `tasksim init --dialect` writes.
 * @param head the first lines, which name the JSON Schema; may be empty
 * @param name the name of the dialect, which is also part of its examples
 */
export function dialectStarter(head: string, name: string): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return `${head}# The wire format of a service, for an invented one. Serve it with \`tasksim --dialect ./${name}.yaml\`.
# \`tasksim validate ${name}.yaml\` checks the file. {{...}} inserts a value; see docs/dialect-files.md.

name: ${name} # in options and in paths, such as /${name}/v1/jobs
title: ${title} # in lists of services

# The origins that the client of the service calls; in a test process, tasksim answers there.
hosts: [https://api.${name}.example]
# The start of all paths below.
prefix: /v1
# Where a request carries its API key: here, in "Authorization: Bearer KEY".
key: { scheme: Bearer }
# The form of the ids of jobs, such as job_7dQpX2mB0cVf4NzKa1Ls.
ids: { prefix: job_, characters: base62, length: 20 }
# How long clients should wait between two polls; tasksim reports those that poll faster.
poll_interval: 2s

# The word of each state, and the fields that a job has in that state only.
statuses:
  queued: waiting
  processing: { word: running, fields: { progress: "{{progress}}" } }
  succeeded: { word: done, fields: { urls: "{{files}}" } }
  failed: { word: error, fields: { reason: "{{error.message}}" } }
  canceled: stopped

# The fields that a job has in every state.
task: { id: "{{id}}", state: "{{status}}", created: "{{created_at | unix}}" }

# The body of a rejected request, such as one without a key.
error: { body: { message: "{{message}}", status: "{{status}}" } }

# What the service does, by method and path. {task_id} is the id of a job.
operations:
  POST /jobs:
    action: create
    status: 202
    kind: video # image, video, audio, tool, llm or transcript: the files of the result
    model: '{{body.model or "${name}-1"}}' # scenarios refer to it
    input: "{{body | without model callback_url}}" # the parameters of the model
    require: [prompt]
  GET /jobs/{task_id}: retrieve
  POST /jobs/{task_id}/stop: cancel
  DELETE /jobs/{task_id}: delete
  GET /jobs:
    action: list
    answer: { jobs: "{{tasks}}", next: "{{next_url or null}}" }
    after: after # the query parameter with the last id of the previous page

# The request that the service sends when a job has ended.
webhook:
  url: "{{body.callback_url}}" # where a create request has the URL
  events: { succeeded: job.done, failed: job.failed }
  body: { event: "{{event}}", job: "{{task}}" }
  signature: { header: X-${title}-Signature, value: "sha256={{signature}}" }
  secret: ${name}_local_secret
  retries: [5s, 30s]
`
}
