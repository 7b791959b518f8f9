/**
 * The scenario that `tasksim init` writes. A test holds it against the schema.
 * @param schema where an editor finds the JSON Schema, as seen from the file
 */
export const starter = (schema: string) => `# yaml-language-server: $schema=${schema}
#
# How the simulated service behaves. Serve it with \`tasksim ./tasksim.yaml\`; saving it applies it at once.
# \`tasksim validate tasksim.yaml\` checks it, and tries out what stands under \`expect:\`.

extends: default # a shipped scenario, or the path of another file

# By kind of model: image, video, audio, tool, llm.
kinds:
  video:
    delay: { median: 20s, p95: 60s } # or a fixed time, 20s, or a range, { min: 10s, max: 30s }
    failures:
      rate: 0.05 # one in twenty
      errors:
        - { code: content_policy, message: The prompt was rejected by the content policy., weight: 3 }
        - { code: internal, message: The worker crashed. }
    price: { per_second: 0.10 } # US dollars; failed and canceled tasks cost nothing

# By model id, or by a pattern in which * stands for any characters. What it says goes before its kind.
models:
  acme/image-fast: { kind: image, delay: 500ms, price: { per_image: 0.01 } }

# Exceptions. The first rule that matches a task decides.
rules:
  - name: forbidden words
    when: { input: { prompt: { matches: forbidden, ignore_case: true } } }
    then:
      outcome: failed # or succeeded, canceled, stuck (it never ends)
      error: { code: content_policy, message: The prompt was rejected by the content policy. }
  - name: long videos take long
    when: { kind: video, input: { duration: { min: 30 } } }
    then: { delay: 5m }

# Who gets the webhooks of every task, beside the webhook_url of the request.
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
