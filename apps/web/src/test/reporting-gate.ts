import { createHash } from 'node:crypto'
import { createHolder, memoryStore } from '@keyhole/holder'
import { sealTo } from '@keyhole/holder/seal'
import type { KeyVault } from '@keyhole/vault'
import { vi } from 'vitest'

/** A gate that reports to a vault, and an agent that calls it. Both have real keys; the relay between them is a double of `fetch`. */
export function reportingGate(vault: () => KeyVault) {
  const [gate, agent] = [createHolder({ store: memoryStore() }), createHolder({ store: memoryStore() })]
  const grant = (to: string, command: string, label = '') =>
    vault().tokens.grant({ audience_did: to, command, policy: [], label })
  let reads = 0

  /** A server whose relay has this report; without one, the relay doesn't answer. */
  function serve(report?: object, headers: Record<string, string> = { 'Keyhole-Relay': '/relay' }) {
    vi.stubGlobal('fetch', async (url: string, { headers: sent }: RequestInit = {}) => {
      if (!url.endsWith('/reports/read')) return new Response(null, { headers })
      reads += 1
      if (!report) return new Response(null, { status: 503 })
      const token = new Headers(sent).get('authorization')?.replace('Bearer ', '') ?? ''
      const { iss, args } = (await vault().tokens.inspect(token)).tokens[0]?.payload ?? {}
      const text = JSON.stringify(report)
      const digest = createHash('sha256').update(text).digest('base64url')
      const subject = await gate.did()
      const { token: signed } = await gate.invoke(
        '/uses/report',
        { report: digest },
        { subject, audience: String(iss) },
      )
      const sealed = await sealTo(
        new Uint8Array(Buffer.from(String(Object(args).key), 'base64url')),
        new TextEncoder().encode(JSON.stringify({ signed, report: text })),
        new TextEncoder().encode(`keyhole report 1\0${iss}`),
      )
      return Response.json({
        reports: [{ from: subject, report: Buffer.from(sealed).toString('base64url') }],
      })
    })
  }

  async function given(label = '') {
    const stored = await grant(await agent.did(), '/mcp/tools/call', label)
    await agent.add(stored.token)
    const options = { subject: stored.issuer, audience: await gate.did(), grant: stored.cid }
    const { token: shown } = await agent.invoke('/mcp/tools/call', {}, options)
    return { stored, shown }
  }

  return {
    gate,
    grant,
    serve,
    given,
    /** How often the relay was asked. */
    get reads() {
      return reads
    },
  }
}
