// A gate follows the revocations of its owner: with a grant to read them, and the relay where they are.
import { join } from 'node:path'
import { createHolder, type Holder } from '@keyhole/holder'
import { fileStore } from '@keyhole/holder/node'
import type { Command, Done, Given } from '../command.ts'
import { CONFIG, changeConfig, gateConfig } from '../gate-config.ts'
import { readText } from '../input.ts'
import { readTime } from '../values.ts'
import { askPerson, REPLY_OPTIONS, relayOf } from './ask.ts'
import { tokenOf } from './grants.ts'

/** A year: the longest that is asked for. */
const YEAR = 31_536_000

type Config = Awaited<ReturnType<typeof gateConfig>>

export const follow: Command = {
  name: 'gate follow',
  summary: "Ask the gate's owner to let it follow their revocations: what they revoke ends within a second",
  options: {
    config: CONFIG,
    for: { type: 'string', value: 'TIME', help: 'For how long. Default: a year' },
    ...REPLY_OPTIONS,
  },
  examples: [
    ['keyhole gate follow', "Sets the gate to follow the vault's relay. Restart the gate afterwards"],
    [
      'keyhole gate follow --reply hand',
      'Only prints the link. Give what the vault shows to `keyhole gate add`',
    ],
  ],
  async run(given) {
    const config = await gateConfig(given)
    const time = given.text('for')
    const asked = await askPerson(given, await holderOf(config, given), {
      vault: config.vault,
      command: '/relay/revocations/read',
      policy: [],
      expiresIn: time === undefined ? YEAR : readTime(time),
      reason: 'To refuse what you have revoked, and to tell you what was used',
      name: `Gate of ${Object.keys({ ...config.servers, ...config.services }).join(', ')}`.slice(0, 60),
    })
    if ('answer' in asked) return await followRelay(given, config, asked.answer.subject)
    const { json, lines } = asked
    return {
      json,
      text: [...lines, 'Then run `keyhole gate add` and paste what the vault answers.'].join('\n'),
    }
  },
}

export const addGrant: Command = {
  name: 'gate add',
  summary: 'Let the gate follow revocations by a grant that you paste',
  operands: '[FILE]',
  options: { config: CONFIG, relay: REPLY_OPTIONS.relay },
  examples: [['keyhole gate add grant.txt', 'What the vault answered to `keyhole gate follow --reply hand`']],
  async run(given) {
    const config = await gateConfig(given)
    const holder = await holderOf(config, given)
    const { subject } = await holder.add(tokenOf(await readText(given)))
    return await followRelay(given, config, subject)
  },
}

/** The gate's own key. The gate itself need not be started for it. */
async function holderOf(config: Config, { io }: Given): Promise<Holder> {
  const { gateFolder } = await import('@keyhole/gate')
  return createHolder({ store: fileStore(join(config.data ?? gateFolder(io.env), 'key')) })
}

/** Writes into the configuration where the relay is, and leaves the rest as it is. */
async function followRelay(given: Given, config: Config, owner: string): Promise<Done> {
  const { io } = given
  if (!config.owners.includes(owner))
    io.tell(`keyhole: ${owner} is not an owner of this gate: add it to \`owners\`.`)
  const relay = given.text('relay') ?? relayOf(config.vault)
  await changeConfig(given, () => ({ relay }))
  return { json: { relay, owner }, text: `The gate follows the revocations of ${owner} at ${relay}.` }
}
