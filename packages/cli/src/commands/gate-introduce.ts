// A gate introduces itself to its owner's vault: as a link and as text. The vault's answer says who the owner is, and a person confirms it here.
import { hostname } from 'node:os'
import type { Gate, GateConfig, OwnerAnswer } from '@keyhole/gate'
import type { Command, Given, Option } from '../command.ts'
import { CommandError, NO } from '../errors.ts'
import { CONFIG, changeConfig, gateConfig, openConfigured } from '../gate-config.ts'
import { longestIn } from '../qr-code.ts'
import { visible } from '../values.ts'
import { byWay, codeOf, REPLY_OPTIONS, relayOf, timeoutIn, waitOf, wayOf } from './ask.ts'

/** How wide a QR code is at most for a terminal that isn't there, in modules. */
const WIDTH = 120

/** What a gate says of itself. */
export const INTRODUCTION_OPTIONS = {
  title: {
    type: 'string',
    value: 'NAME',
    help: 'What the gate calls itself in the introduction. Default: the name of this machine',
  },
  address: {
    type: 'string',
    value: 'URL',
    help: 'Where agents reach the gate, if it runs as `keyhole gate serve`',
  },
  qr: {
    type: 'boolean',
    help: 'Say less of what the gate offers, so that the link is a QR code in this terminal',
  },
} satisfies Readonly<Record<string, Option>>

export const introduce: Command = {
  name: 'gate introduce',
  summary:
    'Introduce the gate to your vault: a link with its name, its DID and what it offers. It grants nothing. If the gate has no owner yet, it waits until your vault says who that is',
  options: { config: CONFIG, ...INTRODUCTION_OPTIONS, ...REPLY_OPTIONS },
  examples: [
    ['keyhole gate introduce', 'Open the link in your vault. Do it again when the gate offers something new'],
    [
      "keyhole gate introduce --title 'Office gate' --address https://gate.example",
      'A gate that agents reach over HTTP',
    ],
    [
      'keyhole gate introduce --qr',
      'Scan the code with your phone. Vaults learn names of tools, and less about them',
    ],
  ],
  async run(given) {
    const { json, lines } = await introduceConfigured(given)
    return { json, text: lines.join('\n') }
  },
}

/** What was done, for programs and in lines. */
interface Introduced {
  readonly json: object
  readonly lines: readonly string[]
}

/**
 * Opens the gate, which starts its servers to ask what they offer. Waits for the owner's answer if there is no owner, or no relay, and a person at
 * the terminal who can confirm it.
 *
 * @throws GateError, CommandError, HolderError
 */
export async function introduceConfigured(given: Given): Promise<Introduced> {
  const { io } = given
  const [way, wait] = [wayOf(given.text('reply')), waitOf(given.text('wait'))]
  const config = await gateConfig(given)
  const isOwned = config.owners.length > 0
  const isComplete = isOwned && config.relay !== undefined
  const gate = await openConfigured(config, given)
  try {
    const address = given.text('address')
    const name = given.text('title') ?? `Gate on ${hostname()}`.slice(0, 60)
    const said = {
      name,
      ...(address !== undefined && { address }),
      ...(given.has('qr') && { longestLink: longestIn(io.columns ?? WIDTH) }),
    }
    const waits = io.confirm !== undefined && way !== 'hand' && !isComplete
    const relay = given.text('relay') ?? relayOf(config.vault)
    const { text, link, missing, answer } = waits
      ? await byWay(way, relay, (reply) => gate.introduce({ ...said, reply, signal: timeoutIn(wait) }))
      : await gate.introduce(said)
    for (const [server, why] of missing)
      io.tell(`keyhole: ${server} is not in the introduction: ${visible(why)}`)
    const json = { did: gate.did, link, text, missing: [...missing.keys()] }
    const lines = [
      'To introduce the gate, open this link in your vault, or paste it under Contacts. It works for a week, and grants nothing.',
      '',
      link,
    ]
    const code = codeOf(given, link).slice(0, -1)
    if (code.length > 0) lines.push('', ...code)
    if (!answer) return { json, lines: isOwned ? lines : [...lines, '', NOT_OWNED] }
    // Programs get two lines: the link at once, and the owner when it is known.
    if (given.has('json')) io.print(JSON.stringify(json))
    else for (const line of [...lines, '', WAITING]) io.tell(line)
    return await takeAnswer(given, gate, config, await answer())
  } finally {
    await gate.close()
  }
}

const NOT_OWNED =
  'The gate has no owner yet, and lets nothing through. Run `keyhole gate introduce` in a terminal and answer in your vault, or put your DID into `owners`.'
const WAITING = 'Waiting for the answer of your vault. Save the gate there, then answer as its owner…'

/** Writes down who owns the gate, once a person has confirmed it. An owner that it has already needs no one to confirm them. */
async function takeAnswer(
  given: Given,
  gate: Gate,
  config: GateConfig,
  { owner, follow, code }: OwnerAnswer,
): Promise<Introduced> {
  if (config.owners.length === 0) {
    const question = [
      '',
      'This answer came:',
      `  Owner: ${visible(owner)}`,
      `  Relay: ${follow ? visible(follow.relay) : 'none'}`,
      `  Code:  ${code}`,
      'An owner decides about everything behind the gate. Type yes if your vault shows the same code:',
    ]
    if (!(await given.io.confirm?.(question.join('\n'))))
      throw new CommandError(
        NO,
        'NOT_CONFIRMED',
        'No one was made the owner. If the codes were different, someone else has seen the link: run `keyhole gate introduce` for a new one.',
      )
  }
  // Before the grant is kept, and again with what is written.
  checkOwners((await gateConfig(given)).owners, owner, follow)
  if (follow) await gate.addGrant(follow.grant)
  await changeConfig(given, ({ owners }) => {
    const now = Array.isArray(owners) ? owners : []
    checkOwners(now, owner, follow)
    return { owners: now.length > 0 ? now : [owner], ...(follow && { relay: follow.relay }) }
  })
  const lines = [
    `The gate belongs to ${owner}.`,
    follow
      ? `It follows what they revoke at ${follow.relay}.`
      : 'Their vault has no relay: tell the gate of revocations with `keyhole gate revoke`.',
  ]
  return { json: { did: gate.did, owner, ...(follow && { relay: follow.relay }) }, lines }
}

/**
 * Refuses an owner where another command has taken one meanwhile: there are never two by accident. With a relay, a gate refuses the calls of every
 * owner whom it can't follow there, so an answer brings one only for a gate of a single owner.
 *
 * @throws CommandError OWNED, SEVERAL_OWNERS
 */
function checkOwners(now: readonly unknown[], owner: string, follow: OwnerAnswer['follow']): void {
  if (now.length > 0 && !now.includes(owner))
    throw new CommandError(NO, 'OWNED', 'The gate got another owner meanwhile. Nothing was changed.')
  if (follow && now.some((each) => each !== owner))
    throw new CommandError(
      NO,
      'SEVERAL_OWNERS',
      "The gate has several owners. If it followed only one, it would refuse the others' calls. Nothing was changed. Run `keyhole gate follow` for each owner.",
    )
}
