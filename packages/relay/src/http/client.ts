/** What the server knows about a client. */
export interface Client {
  /** IP address, for limits. */
  readonly address: string
  /** Closes the connection at once, if the server can do that. */
  disconnect?(): void
}

/** The environment of Hono's handlers. */
export interface RouteEnv {
  readonly Bindings: Client
}
