import type { LoggingMessageNotification } from '@modelcontextprotocol/client'

type Params = Readonly<Record<string, unknown>>

/** What a server may ask an agent while it carries out a call. */
export type Question = 'sampling/createMessage' | 'elicitation/create'

/** The agent's side of a call that is running: how its server speaks to it. */
export interface Talk {
  /** Whose call it is. What a server says during calls of several reaches none of them. */
  readonly agent: unknown
  /** Tells how far the call is. */
  readonly progress?: (params: Params) => void
  /** Passes on what the server logs. */
  log(params: LoggingMessageNotification['params']): void
  /** Asks the agent. @throws Error if it can't be asked */
  ask(question: Question, params: Params): Promise<Params>
}
