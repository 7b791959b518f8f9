/** How a client registered a receiver through the API of a service. Times are epoch milliseconds. */
export interface Registration {
  /** In the form of the service. */
  readonly id: string
  /** The API key of the client. The receiver gets only the webhooks about its tasks. */
  readonly owner: string
  /** The wire format of the request, and of the webhooks. */
  readonly dialect: string
  readonly name: string | undefined
  /** Whether the client wants webhooks at all. */
  readonly isEnabled: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** Until when webhooks are also signed with the previous secret; undefined if there is none. */
  readonly previousUntil: number | undefined
}
