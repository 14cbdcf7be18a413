// The messages between a client and the worker with the plugin. SharedWorkers, dedicated Workers and Node's worker
// threads use the same protocol.

import type { EnclaveErrorCode } from '../errors.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import type { EnclaveChange } from '../types.ts'

/** A call: JSON text as input, or bytes if it contains a secret, so that the worker can overwrite them. */
export type CallMessage = readonly [id: number, name: string, input: string | Uint8Array<ArrayBuffer>]

/** A call's answer: JSON text, undefined if the plugin gave none, or why there was no answer. */
export type AnswerMessage = readonly [id: number, output: string | undefined, failure?: string]

/**
 * What a client sends. `open` comes first, and once; `drop`: a call that hasn't started is no longer needed; `lock`
 * names a Web Lock that the client holds while it lives.
 */
export type ClientMessage =
  | {
      readonly type: 'open'
      readonly wasm: VerifiedWasm
      readonly account: string | undefined
      readonly allowedHosts: readonly string[]
      readonly lock: string | undefined
    }
  | { readonly type: 'calls'; readonly calls: readonly CallMessage[] }
  | { readonly type: 'drop'; readonly id: number }
  | { readonly type: 'adopt'; readonly id: number; readonly account: string }
  | { readonly type: 'close' }

/** What the worker sends. `lock` names a Web Lock that the worker holds while it lives. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly lock: string | undefined }
  | { readonly type: 'failed'; readonly code: EnclaveErrorCode; readonly message: string }
  | { readonly type: 'answers'; readonly answers: readonly AnswerMessage[] }
  | { readonly type: 'change'; readonly change: EnclaveChange }
  | { readonly type: 'closed' }

/** A message port on any platform. */
export interface Port<Out, In> {
  /** @param transfer buffers to transfer instead of copying */
  post(message: Out, transfer?: ArrayBuffer[]): void
  /** Receives every message, including earlier ones. Call it once. */
  listen(listener: (message: In) => void): void
  close(): void
}

export type ClientPort = Port<ClientMessage, WorkerMessage>
export type WorkerPort = Port<WorkerMessage, ClientMessage>
