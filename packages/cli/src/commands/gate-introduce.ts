// A gate introduces itself to its owner's vault: as a link and as text.
import { hostname } from 'node:os'
import type { Command, Given, Option } from '../command.ts'
import { CONFIG, gateConfig, openConfigured } from '../gate-config.ts'
import { visible } from '../values.ts'

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
} satisfies Readonly<Record<string, Option>>

export const introduce: Command = {
  name: 'gate introduce',
  summary:
    'Introduce the gate to your vault: a link with its name, its DID and what it offers. It grants nothing',
  options: { config: CONFIG, ...INTRODUCTION_OPTIONS },
  examples: [
    ['keyhole gate introduce', 'Open the link in your vault. Do it again when the gate offers something new'],
    [
      "keyhole gate introduce --title 'Office gate' --address https://gate.example",
      'A gate that agents reach over HTTP',
    ],
  ],
  async run(given) {
    const { json, lines } = await introduceConfigured(given)
    return { json, text: lines.join('\n') }
  },
}

/** Opens the gate, which starts its servers to ask what they offer. @throws GateError, CommandError */
export async function introduceConfigured(given: Given) {
  const gate = await openConfigured(await gateConfig(given), given)
  try {
    const address = given.text('address')
    const name = given.text('title') ?? `Gate on ${hostname()}`.slice(0, 60)
    const { text, link, missing } = await gate.introduce({ name, ...(address !== undefined && { address }) })
    for (const [server, why] of missing)
      given.io.tell(`keyhole: ${server} is not in the introduction: ${visible(why)}`)
    return {
      json: { did: gate.did, link, text, missing: [...missing.keys()] },
      lines: [
        `To introduce the gate, open this link in your vault, or paste it under Contacts. It works for a week, and grants nothing.`,
        '',
        link,
      ],
    }
  } finally {
    await gate.close()
  }
}
