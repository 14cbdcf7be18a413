// The key, and the grants that are held.
import { open, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { stringifyJson } from '@keyhole/enclave'
import { createHolder, type Grant, type Holder } from '@keyhole/holder'
import { environmentStore, makeKeyText } from '@keyhole/holder/node'
import type { Command } from '../command.ts'
import { CommandError, FAILED, NO, wrongUsage } from '../errors.ts'
import { readText } from '../input.ts'
import { readLimits, readTime, showEnd, visible, withLimits } from '../values.ts'

export const key: Command = {
  name: 'key',
  summary: 'Show your DID, which grants are made out to, and make the key if there is none',
  options: {
    new: { type: 'string', value: 'FILE', help: 'Write a new key to a file instead, for KEYHOLE_KEY in CI' },
  },
  examples: [
    ['keyhole key', 'A key that no one else has, in a file that only you can read'],
    ['keyhole key --new ci.key', 'A key for a job. Shows its DID'],
  ],
  async run({ holder, text, io }) {
    const file = text('new')
    const did = await (file === undefined ? holder() : await newKey(resolve(io.cwd, file))).did()
    return { json: { did }, text: did }
  },
}

/** @throws CommandError if the file is there already */
async function newKey(path: string): Promise<Holder> {
  const key = makeKeyText()
  const failed = ({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EEXIST' ? 'is there already: nothing was changed' : "can't be written"
    throw new CommandError(FAILED, 'FILE', `${path} ${why}.`)
  }
  const file = await open(path, 'wx', 0o600).catch(failed)
  try {
    await file.writeFile(`${key}\n`)
    // A DID that was shown may get grants: the key must not be lost with the power.
    await file.sync()
  } catch (error) {
    // A part of a key on a full disk would be in the way of the next try.
    await unlink(path).catch(() => {})
    failed(Object(error))
  } finally {
    await file.close()
  }
  return createHolder({ store: environmentStore({ KEYHOLE_KEY: key }) })
}

export const add: Command = {
  name: 'add',
  summary: 'Save a grant: paste what the vault shows',
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
  summary: 'List your grants, soonest to expire first',
  examples: [
    ['keyhole grants', 'What you may do'],
    ['keyhole grants --json | jq .[].command', 'For a script'],
  ],
  async run({ holder, io }) {
    const own = holder()
    const held = await own.grants()
    for (const problem of await own.problems())
      io.tell(`keyhole: one stored grant can't be used: ${visible(problem.message)}`)
    return {
      json: held.map(jsonOf),
      text: held.map(textOf).join('\n\n') || 'No grants. `keyhole ask` asks for one.',
    }
  },
}

export const show: Command = {
  name: 'show',
  summary: 'Show one of your grants, with its token and who passed it on',
  operands: 'CID',
  examples: [
    ['keyhole show bafy…', 'The CID is what `keyhole grants` shows'],
    ['keyhole show bafy… --json | jq -r .token | keyhole inspect', 'All that its tokens say'],
  ],
  async run({ holder, positionals }) {
    const grant = await heldGrant(holder(), positionals)
    const { token, chain } = grant
    return {
      json: { ...jsonOf(grant), chain, token },
      text: [textOf(grant), ...chain.slice(0, -1).map((cid) => `  proof     ${cid}`), '', token].join('\n'),
    }
  },
}

/** The grant with the CID that is given. @throws CommandError for another number of CIDs, and for one that isn't held */
async function heldGrant(own: Holder, [cid, ...more]: readonly string[]): Promise<Grant> {
  if (!cid || more.length > 0) wrongUsage('Name one grant by its CID.')
  const found = (await own.grants()).find((grant) => grant.cid === cid)
  return found ?? wrongUsage('You have no grant with this CID.')
}

export const forget: Command = {
  name: 'forget',
  summary: 'Delete one of your grants. A copy of it stays valid: only its issuer can revoke it',
  operands: 'CID',
  examples: [['keyhole forget bafy…', 'The CID is what `keyhole grants` shows']],
  async run({ holder, positionals }) {
    const own = holder()
    const { cid } = await heldGrant(own, positionals)
    await own.remove(cid)
    return { json: { forgotten: cid }, text: 'Deleted.' }
  },
}

export const narrow: Command = {
  name: 'narrow',
  summary: 'Pass on part of a grant, without asking anyone',
  options: {
    to: { type: 'string', value: 'DID', help: 'Who receives it' },
    grant: {
      type: 'string',
      value: 'CID',
      help: 'Which grant. Default: the narrowest that fits',
    },
    command: { type: 'string', value: 'COMMAND', help: "The grant's command, or one below it" },
    limit: { type: 'string', multiple: true, value: 'JSON', help: "A limit, in addition to the grant's own" },
    for: { type: 'string', value: 'TIME', help: 'For how long: 30m, 8h, 7d. Default: as long as the grant' },
  },
  examples: [
    [
      `keyhole narrow --to did:key:z6Mk… --for 1h --limit '["like", ".arguments.path", "/home/me/notes/work/*"]'`,
      'A sub-agent may read one folder less, for an hour',
    ],
  ],
  async run(given) {
    const to = given.text('to') ?? wrongUsage('Say who receives it: --to did:key:….')
    const [grant, command, time] = [given.text('grant'), given.text('command'), given.text('for')]
    const policy = readLimits(given.texts('limit'))
    const made = await withLimits(() =>
      given.holder().narrow({
        to,
        policy,
        ...(grant !== undefined && { grant }),
        ...(command !== undefined && { command }),
        ...(time !== undefined && { expiresIn: readTime(time) }),
      }),
    )
    return { json: made, text: made.token }
  },
}

/** The token of what a person pastes: a vault's answer, or the token itself. */
export function tokenOf(text: string): string {
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

/** A grant for programs. */
export const jsonOf = ({ cid, issuer, subject, command, policy, notBefore, expiresAt, state }: Grant) => ({
  cid,
  issuer,
  subject,
  command,
  policy,
  notBefore,
  expiresAt,
  state,
})

/** The same for people. */
export function textOf({ cid, issuer, subject, command, policy, expiresAt, state }: Grant): string {
  return [
    `${visible(command)}${state === 'active' ? '' : ` (${state})`}`,
    `  expires   ${showEnd(expiresAt)}`,
    ...policy.map((each) => `  limit     ${visible(stringifyJson(each))}`),
    ...(issuer === subject ? [] : [`  from      ${issuer}`]),
    `  owner     ${subject}`,
    `  CID       ${cid}`,
  ].join('\n')
}
