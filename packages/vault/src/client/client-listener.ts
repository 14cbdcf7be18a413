import type { ActivityAbout } from '../base/act.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { StorageListener } from '../storage/account/storage-listener.ts'

/** What happened to the open account; `left` is the previous one. */
export type AccountAct =
  | { readonly type: 'opened'; readonly left?: string }
  | { readonly type: 'removed'; readonly address: string; readonly active: boolean }
  | { readonly type: 'closed' }

/** What a method of the client did. */
export type ClientAct =
  | AccountAct
  | { readonly type: 'stored'; readonly what: 'tokens' | 'sessions' | 'accounts' }

/** Events of a client for its creator. */
export interface ClientListener extends StorageListener {
  /** Called with what the client's own methods did, to announce it. Without it, the client raises the events. */
  acted?(act: ClientAct): Promise<void>
  /** The hourly clean-up deleted this many tokens and sessions. */
  expired?(count: number): void
  /** This many tokens and sessions, removed while the clock was ahead, were restored. */
  restored?(count: number): void
  /** Writes the changes of a clean-up, with a log line. Default: writes them without a line. */
  expire?(about: ActivityAbout, batch: StateBatch): Promise<void>
}
