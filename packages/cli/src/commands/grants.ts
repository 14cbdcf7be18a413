// The key, and the grants that are held.
import type { Grant } from '@keyhole/holder'
import type { Command } from '../command.ts'
import { CommandError, NO, wrongUsage } from '../errors.ts'
import { readText } from '../input.ts'
import { readLimits, readTime, showEnd, visible } from '../values.ts'

export const key: Command = {
  name: 'key',
  summary: 'Show your DID, to which grants are made out, and make the key if there is none',
  examples: [['keyhole key', 'A key that no one else has, in a file that only you can read']],
  async run({ holder }) {
    const did = await holder().did()
    return { json: { did }, text: did }
  },
}

export const add: Command = {
  name: 'add',
  summary: 'Keep a grant: paste what the vault shows',
  operands: '[FILE]',
  examples: [
    ['keyhole add', 'Paste the answer or the token, then press Ctrl+D'],
    ['keyhole add grant.txt', 'From a file'],
  ],
  async run(given) {
    const grant = await given.holder().add(tokenOf(await readText(given)))
    return { json: jsonOf(grant), text: `Added.\n${textOf(grant)}` }
  },
}

export const grants: Command = {
  name: 'grants',
  summary: 'List the grants that you hold, the next to expire first',
  examples: [
    ['keyhole grants', 'What you may do'],
    ['keyhole grants --json | jq .[].command', 'For a script'],
  ],
  async run({ holder, io }) {
    const own = holder()
    const held = await own.grants()
    for (const problem of await own.problems())
      io.tell(`keyhole: one stored grant can't be used: ${problem.message}`)
    return {
      json: held.map(jsonOf),
      text: held.map(textOf).join('\n\n') || 'No grants. `keyhole ask` asks for one.',
    }
  },
}

export const forget: Command = {
  name: 'forget',
  summary:
    'Delete a grant that you hold. It stays valid for whoever has a copy: only its issuer can revoke it',
  operands: 'CID',
  examples: [['keyhole forget bafy…', 'The CID is what `keyhole grants` shows']],
  async run({ holder, positionals: [cid, ...more] }) {
    if (!cid || more.length > 0) wrongUsage('Name one grant by its CID.')
    const own = holder()
    if (!(await own.grants()).some((grant) => grant.cid === cid))
      wrongUsage('You hold no grant with this CID.')
    await own.remove(String(cid))
    return { json: { forgotten: cid }, text: 'Deleted.' }
  },
}

export const narrow: Command = {
  name: 'narrow',
  summary: 'Pass on a part of a grant, without asking anyone',
  options: {
    to: { type: 'string', value: 'DID', help: 'Who receives it' },
    grant: {
      type: 'string',
      value: 'CID',
      help: 'Which grant; the narrowest that fits, if you hold several',
    },
    command: { type: 'string', value: 'COMMAND', help: "The grant's command, or one below it" },
    limit: { type: 'string', multiple: true, value: 'JSON', help: "A limit beside all of the grant's" },
    for: { type: 'string', value: 'TIME', help: 'For how long: 30m, 8h, 7d. Default: as long as the grant' },
  },
  examples: [
    [
      `keyhole narrow --to did:key:z6Mk… --for 1h --limit '["like", ".arguments.path", "/home/me/notes/work/*"]'`,
      'A sub-agent may read one folder less, for an hour',
    ],
  ],
  async run(given) {
    const to = given.text('to') ?? wrongUsage('Say to whom: --to did:key:….')
    const [grant, command, time] = [given.text('grant'), given.text('command'), given.text('for')]
    const made = await given.holder().narrow({
      to,
      policy: readLimits(given.texts('limit')),
      ...(grant !== undefined && { grant }),
      ...(command !== undefined && { command }),
      ...(time !== undefined && { expiresIn: readTime(time) }),
    })
    return { json: made, text: made.token }
  },
}

/** The token of what a person pastes: a vault's answer, or the token itself. */
function tokenOf(text: string): string {
  const compact = text.replace(/\s/g, '')
  const [, answer] = /^keyhole-answer-1\.([\w-]+)$/.exec(compact) ?? []
  if (answer === undefined) return compact
  try {
    const { token, refused } = Object(JSON.parse(Buffer.from(answer, 'base64url').toString('utf8')))
    if (typeof token === 'string') return token
    if (typeof refused === 'string') throw new CommandError(NO, 'DECLINED', 'The person declined.')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandError(NO, 'INVALID_ANSWER', 'This answer is damaged. Copy all of it, and try again.')
}

const jsonOf = ({ cid, issuer, subject, command, policy, notBefore, expiresAt, state }: Grant) => ({
  cid,
  issuer,
  subject,
  command,
  policy,
  notBefore,
  expiresAt,
  state,
})

function textOf({ cid, issuer, subject, command, policy, expiresAt, state }: Grant): string {
  return [
    `${command}${state === 'active' ? '' : ` (${state})`}`,
    `  expires   ${showEnd(expiresAt)}`,
    ...policy.map((each) => `  limit     ${visible(JSON.stringify(each))}`),
    ...(issuer === subject ? [] : [`  from      ${issuer}`]),
    `  owner     ${subject}`,
    `  CID       ${cid}`,
  ].join('\n')
}
