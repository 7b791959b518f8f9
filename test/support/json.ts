/** Returns the JSON of an answer, without a type. */
// biome-ignore lint/suspicious/noExplicitAny: the expectations of a test check the type
export async function json(response: Response | Request | Promise<Response>): Promise<any> {
  return JSON.parse(await (await response).text())
}
