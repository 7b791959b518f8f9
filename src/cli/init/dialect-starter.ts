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
