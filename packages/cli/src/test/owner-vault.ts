// Stands in for the vault of an owner whom a gate introduces itself to.
import { createHash } from 'node:crypto'
import { createEnclave } from '@keyhole/enclave'
import { container, delegation, invocation, type Person } from '../../../enclave/src/test/naive-tokens.ts'

/** What an introduction says, as anyone can read it from its link. */
export async function readIntroduction(link: string) {
  const text = new URL(link).hash.slice(1)
  const enclave = await createEnclave({ keyless: true })
  try {
    const invocation = text.slice('keyhole-service-1.'.length)
    const read = Object(await enclave.call('validate_invocation', { invocation }))
    const { reply } = JSON.parse(read.args.introduction)
    return { digest: createHash('sha256').update(text).digest('base64url'), gate: String(read.issuer), reply }
  } finally {
    await enclave.close()
  }
}

/** Answers by loopback that someone is the owner. @returns the status of the gate's page */
export async function answerAsOwner(link: string, by: Person, relay?: string): Promise<number> {
  const { digest, gate, reply } = await readIntroduction(link)
  const exp = BigInt(Math.floor(Date.now() / 1_000) + 300)
  const more = relay === undefined ? [] : [['relay', relay] as const]
  const args = new Map([['introduction', digest], ...more])
  const token = container([invocation(by, by, [], { cmd: '/service/own', aud: gate, exp, args })])
  const grant = delegation(by, { ...by, did: gate }, { cmd: '/relay/revocations/read', exp })
  const json = { request: digest, token, ...(relay !== undefined && { grant: container([grant]) }) }
  const { status } = await fetch(reply.loopback, {
    method: 'POST',
    headers: { origin: new URL(reply.loopback).origin },
    body: `keyhole-answer-1.${Buffer.from(JSON.stringify(json)).toString('base64url')}`,
  })
  return status
}
