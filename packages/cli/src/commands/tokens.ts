// Tokens of anyone, looked at without a key.
import { createEnclave, type Enclave, isRefusal, stringifyJson } from '@keyhole/enclave'
import type { Command } from '../command.ts'
import { CommandError, NO } from '../errors.ts'
import { readText } from '../input.ts'
import { showEnd, visible, withDates } from '../values.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Check a grant: signatures, chain and times. It does not know about revocations',
  operands: '[FILE]',
  examples: [
    ['keyhole verify grant.txt', 'Exits with 0 if it is valid, and 1 if not'],
    ['pbpaste | keyhole verify --json', 'From the clipboard, for a script'],
  ],
  async run(given) {
    const token = await readText(given)
    const verdict = await withEnclave((enclave) => enclave.call('verify_token', { token }))
    if (isRefusal(verdict)) throw new CommandError(NO, String(verdict.name), verdict.error)
    if (!verdict.valid) {
      const { name, message } = verdict.error
      return { json: verdict, text: `Not valid: ${name}. ${visible(withDates(message))}`, exitCode: NO }
    }
    const { command, policy, expires_at: end } = verdict.effective
    const links = verdict.chain.map(({ issuer, audience }) => `  ${issuer} to ${audience}`)
    const limits = policy.map((each) => `  limit    ${visible(stringifyJson(each))}`)
    return {
      json: verdict,
      text: [
        'Valid.',
        ...links,
        `  command  ${visible(command)}`,
        ...limits,
        `  expires  ${showEnd(end)}`,
      ].join('\n'),
    }
  },
}

export const inspect: Command = {
  name: 'inspect',
  summary: 'Show what is in a token, as JSON. It checks only signatures',
  operands: '[FILE]',
  examples: [['keyhole inspect grant.txt', 'Each token in it, and whether its signature is right']],
  async run(given) {
    const token = await readText(given)
    const read = await withEnclave((enclave) => enclave.call('inspect_token', { token }))
    if (isRefusal(read)) throw new CommandError(NO, String(read.name), read.error)
    return { json: read.tokens, text: visibleJson(read.tokens) }
  },
}

/** JSON in lines, in which every letter can be seen. */
function visibleJson(value: unknown): string {
  return stringifyJson(value, 2).replace(
    /[\p{Cf}\p{Zl}\p{Zp}\u0080-\u009f]/gu,
    (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  )
}

async function withEnclave<T>(work: (enclave: Enclave) => Promise<T>): Promise<T> {
  const enclave = await createEnclave({ keyless: true })
  try {
    return await work(enclave)
  } finally {
    await enclave.close()
  }
}
