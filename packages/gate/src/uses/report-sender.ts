// Sends each owner a report of what was used, by the relay. Calls never wait for it.
import { createHash } from 'node:crypto'
import { type Enclave, isRefusal } from '@keyhole/enclave'
import type { Holder } from '@keyhole/holder'
import { reportOf, sealReport } from './report.ts'
import type { Uses } from './use.ts'

export interface SenderOptions {
  /** The relay's base URL. */
  readonly relay: string
  readonly owners: readonly string[]
  /** Of the gate's own key, with each owner's grant of `/relay/revocations/read`. */
  readonly holder: Holder
  readonly gate: string
  readonly enclave: Pick<Enclave, 'call'>
  readonly read: () => Promise<Uses>
  readonly onError: (error: unknown) => void
  readonly pauses?: Pauses | undefined
}

/** In milliseconds. */
export interface Pauses {
  /** From a call to its report, so that calls that come together are reported together. */
  readonly first: number
  /** Between two reports. */
  readonly between: number
  /** After a failure. It doubles up to the longest. */
  readonly retry: number
}

export interface ReportSender {
  /** There is more to report. */
  changed(): void
  /** Tries once more to send what is outstanding, for a moment, and sends no more. */
  close(): Promise<void>
}

const PAUSES: Pauses = { first: 2_000, between: 60_000, retry: 5_000 }
const LONGEST_PAUSE = 600_000
/** How long the relay may take, in milliseconds; and when the gate is closed. */
const PATIENCE = 10_000
const LAST_PATIENCE = 2_000
const REPORT = '/relay/revocations/read/report'
/** Longest answer of a relay, in bytes. */
const LONGEST_ANSWER = 65_536

/** The relay has no card of the owner: no vault of theirs has asked for reports. */
class NoReader extends Error {}

export function sendReports(options: SenderOptions): ReportSender {
  const { onError, pauses = PAUSES } = options
  const host = new URL(options.relay).host
  const audience = `did:web:${encodeURIComponent(host)}`
  const ended = new AbortController()
  const queues = options.owners.map(queueOf)
  // What an earlier process could not send.
  for (const queue of queues) queue.soon()

  function queueOf(owner: string) {
    let sent: string | undefined
    let sentAt = 0
    let isDirty = false
    let pause = pauses.retry
    let timer: NodeJS.Timeout | undefined
    let sending: Promise<void> = Promise.resolve()

    async function send(patience: number): Promise<void> {
      isDirty = false
      try {
        const report = reportOf(await options.read(), owner)
        if (!report || report.content === sent) return
        await post(owner, report.text, AbortSignal.any([AbortSignal.timeout(patience), ended.signal]))
        sent = report.content
        sentAt = Date.now()
        pause = pauses.retry
      } catch (error) {
        isDirty = true
        throw error
      }
    }

    function plan(delay: number): void {
      timer ??= setTimeout(() => {
        timer = undefined
        sending = send(PATIENCE).then(
          () => {
            if (isDirty) soon()
          },
          (error) => {
            if (!(error instanceof NoReader) && !ended.signal.aborted) onError(error)
            plan(pause)
            pause = Math.min(2 * pause, LONGEST_PAUSE)
          },
        )
      }, delay).unref()
    }

    function soon(): void {
      isDirty = true
      plan(Math.max(pauses.first, sentAt + pauses.between - Date.now()))
    }

    return {
      soon,
      async close() {
        clearTimeout(timer)
        // No timer is set any more.
        timer = setTimeout(() => {}, 0).unref()
        // A relay that holds the connection must not hold the gate.
        const late = setTimeout(() => ended.abort(), LAST_PATIENCE)
        await sending
        clearTimeout(late)
        if (isDirty && !ended.signal.aborted) await send(LAST_PATIENCE).catch(() => {})
      },
    }
  }

  async function post(owner: string, report: string, signal: AbortSignal): Promise<void> {
    const { holder, gate } = options
    const key = await keyOf(owner, signal)
    const sealed = await sealReport(report, { holder, gate, owner, key })
    const args = { report: createHash('sha256').update(sealed).digest('base64url') }
    const body = JSON.stringify({ report: Buffer.from(sealed).toString('base64url') })
    await ask(owner, '/reports', args, { body, signal })
  }

  /** The key in the owner's card. The owner signed it, so that a relay can't put in its own. */
  async function keyOf(owner: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const { card } = Object(JSON.parse(await ask(owner, '/reports/card', {}, { signal })))
    const inspected =
      typeof card === 'string' ? await options.enclave.call('inspect_token', { token: card }) : undefined
    const [token, ...others] = !inspected || isRefusal(inspected) ? [] : inspected.tokens
    const { iss, sub, aud, cmd, args } = token?.payload ?? {}
    const isOwners = token?.signature_valid && token.kind === 'invocation' && others.length === 0
    if (!isOwners || iss !== owner || sub !== owner || aud !== audience || cmd !== '/relay/reports/read')
      throw new Error(`The relay at ${host} gave a key that ${owner} did not sign.`)
    return new Uint8Array(Buffer.from(String(Object(args).key), 'base64url'))
  }

  async function ask(owner: string, path: string, args: Record<string, unknown>, init: RequestInit) {
    const { token } = await options.holder.invoke(REPORT, args, { subject: owner, audience, expiresIn: 60 })
    const response = await fetch(`${options.relay.replace(/\/$/, '')}${path}`, {
      ...init,
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
    })
    if (response.status === 404) throw new NoReader()
    if (!response.ok) throw new Error(`The relay at ${host} answered ${response.status} to a report of use.`)
    return await readText(response)
  }

  return {
    changed() {
      for (const queue of queues) queue.soon()
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

/** @throws Error if it is too long */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > LONGEST_ANSWER) throw new Error('The relay gave a longer answer than a relay gives.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
