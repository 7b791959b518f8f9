/**
 * The signing secrets of dialects for which neither the scenario nor their file has others. They are public too, and
 * `whsec_` with standard base64, because verifiers read any other form differently.
 */
export const DIALECT_SECRETS = {
  secret: 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA==',
  previous_secret: 'whsec_dGFza3NpbV9wcmV2aW91c19zaWduaW5nX3NlY3JldA==',
}
