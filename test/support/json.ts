/** The JSON of an answer, to be looked into without ado. */
// biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what it should be
export async function json(response: Response | Request | Promise<Response>): Promise<any> {
  return JSON.parse(await (await response).text())
}
