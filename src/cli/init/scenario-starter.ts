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
