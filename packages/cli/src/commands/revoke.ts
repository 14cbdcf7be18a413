// Ends what was passed on.
import { signRevocation } from '@keyhole/holder/revoke'
import type { Command } from '../command.ts'
import { CommandError, FAILED, NO, wrongUsage } from '../errors.ts'
import { readText } from '../input.ts'

/** How long a relay may take to answer, in milliseconds. */
const PATIENCE = 20_000

export const revokePart: Command = {
  name: 'revoke',
  summary: "End a grant that you passed on, and all that was passed on from it. You can't undo this",
  operands: '[FILE]',
  options: {
    grant: {
      type: 'string',
      value: 'CID',
      help: 'Which grant of the text ends. Default: the last of its chain',
    },
    relay: {
      type: 'string',
      value: 'URL',
      help: "The owner's relay, which tells the gates that listen to it",
    },
  },
  examples: [
    [
      'keyhole revoke part.txt --relay https://vault.example/relay',
      'What `keyhole narrow` printed ends within a second',
    ],
    [
      'keyhole revoke part.txt > revocation.txt',
      'Without a relay: give it to each gate with `keyhole gate revoke`',
    ],
  ],
  async run(given) {
    const relay = given.text('relay')
    if (relay !== undefined && !URL.canParse(relay)) return wrongUsage('--relay must be a URL.')
    const leaf = given.text('grant')
    const text = (await readText(given)).replace(/\s/g, '')
    const signed = await signRevocation(given.store(), text, leaf === undefined ? {} : { leaf })
    const { revocation, token, revokes } = signed
    if (relay === undefined) return { json: signed, text: revocation }
    await post(`${relay.replace(/\/$/, '')}/revocations`, { revocation, token })
    return { json: { ...signed, relay }, text: `Revoked ${revokes}. The relay has it.` }
  },
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => {
    const message = `The relay at ${url} gave no answer, so this may not be revoked. Run the command again: running it twice is safe.`
    throw new CommandError(FAILED, 'RELAY', message)
  })
  if (response.ok) return
  const { error } = Object(await response.json().catch(() => undefined))
  const why = typeof error === 'string' ? `${response.status} ${error}` : String(response.status)
  const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429
  throw new CommandError(isFinal ? NO : FAILED, 'RELAY', `The relay did not take the revocation: ${why}.`)
}
