import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { container, delegation, person, revocation } from '../../enclave/src/test/naive-tokens.ts'
import { startRelay } from '../../gate/src/test/relay-server.ts'
import { COMMON, type Command, parserOptions } from './command.ts'
import { COMMANDS } from './commands.ts'
import { type Home, home } from './test/command.ts'

const owner = person(1)

async function did({ json }: Home): Promise<string> {
  return String((await json(['key'])).said.did)
}

/** What a vault shows after Grant. */
async function answerFor(
  at: Home,
  changes: object = {},
): Promise<{ readonly answer: string; readonly token: string }> {
  const grant = delegation(owner, { ...owner, did: await did(at) }, { cmd: '/mcp/tools/call', ...changes })
  const token = container([grant])
  const json = JSON.stringify({ request: 'x', token })
  return { token, answer: `keyhole-answer-1.${Buffer.from(json).toString('base64url')}` }
}

it('makes one key, which only its owner can read', async () => {
  const at = await home()
  expect(await did(at)).toMatch(/^did:key:z6Mk/)
  expect(await did(at)).toBe(await did(at))
  const folder = join(at.folder, 'data/keyhole/holder')
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  const { said } = await at.json(['key', '--as', 'other'])
  expect(said.did).not.toBe(await did(at))
})

it('keeps what the vault answers, lists it, passes on a part of it, and deletes it', async () => {
  const at = await home()
  const { answer, token } = await answerFor(at)
  expect((await at.run(['add'], answer)).code).toBe(0)
  // Pasting often breaks lines.
  expect((await at.run(['add'], token.replace(/.{60}/g, '$&\n'))).code).toBe(0)
  const listed = JSON.parse((await at.run(['grants', '--json'])).out)
  expect(listed).toMatchObject([{ command: '/mcp/tools/call', subject: owner.did, state: 'active' }])
  const shown = await at.json(['show', listed[0].cid])
  expect(shown).toMatchObject({ code: 0, said: { ...listed[0], chain: [listed[0].cid] } })
  expect((await at.run(['show', listed[0].cid])).out).toContain(String(shown.said.token))
  expect((await at.run(['show', 'bafyother'])).code).toBe(2)
  const to = person(7).did
  const part = await at.json(['narrow', '--to', to, '--for', '1h', '--limit', '["==", ".name", "read"]'])
  expect(part.said).toMatchObject({ policy: [['==', '.name', 'read']] })
  const verified = await at.json(['verify'], String(part.said.token))
  expect(verified).toMatchObject({
    code: 0,
    said: { valid: true, chain: [{ issuer: owner.did }, { audience: to }] },
  })
  const call = await at.json(['invoke', '/mcp/tools/call'], '{"name": "read"}')
  expect((await at.run(['inspect'], String(call.said.token))).out).toContain('"cmd": "/mcp/tools/call"')
  expect((await at.run(['forget', listed[0].cid])).code).toBe(0)
  expect((await at.run(['grants', '--json'])).out).toBe('[]\n')
})

it('ends what it passed on, at the relay or as a text', async () => {
  const relay = await startRelay()
  onTestFinished(relay.close)
  const at = await home()
  await at.run(['add'], (await answerFor(at)).answer)
  const helper = String((await at.json(['key', '--as', 'helper'])).said.did)
  const part = await at.run(['narrow', '--to', helper, '--for', '1h'])
  const posted = await at.json(['revoke', '--relay', relay.url], part.out)
  expect(posted).toMatchObject({ code: 0, said: { subject: owner.did, relay: relay.url } })
  // The relay has it already, and checks what it is given.
  expect((await at.run(['revoke', '--relay', `${relay.url}/`], part.out)).code).toBe(0)
  const text = await at.run(['revoke'], part.out)
  expect(text.code).toBe(0)
  const [read] = JSON.parse((await at.run(['inspect', '--json'], text.out)).out)
  expect(read.payload).toMatchObject({ cmd: '/ucan/revoke', args: { revoke: { '/': posted.said.revokes } } })
  expect((await at.run(['revoke', '--as', 'helper'], part.out)).code).toBe(1)
  relay.setOut(true)
  expect((await at.run(['revoke', '--relay', relay.url], part.out)).code).toBe(3)
})

it('makes a request for a person', async () => {
  const at = await home()
  const asked = await at.json([
    'ask',
    '/http/get',
    '--vault',
    'https://vault.example',
    '--for',
    '7d',
    '--reason',
    'To see',
    '--name',
    'Notes agent',
    '--reply',
    'hand',
  ])
  const [, request = ''] = String(asked.said.link).split('#keyhole-request-1.')
  expect(JSON.parse(Buffer.from(request, 'base64url').toString())).toMatchObject({
    command: '/http/get',
    audience: await did(at),
    expiresIn: 604_800,
    reason: 'To see',
    name: 'Notes agent',
  })
})

describe('waits for the answer', () => {
  /** What the vault does with a request of that link. */
  const answerTo = async (at: Home, link: string, said: object = {}) => {
    const text = new URL(link).hash.slice(1)
    const json = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
    const digest = createHash('sha256').update(text).digest('base64url')
    const { token } = await answerFor(at)
    const answer = JSON.stringify({ request: digest, ...('refused' in said ? said : { token }) })
    return { reply: json.reply, answer: `keyhole-answer-1.${Buffer.from(answer).toString('base64url')}` }
  }
  const byLoopback = async (at: Home, link: string, said?: object) => {
    const { reply, answer } = await answerTo(at, link, said)
    const { origin } = new URL(reply.loopback)
    return await fetch(reply.loopback, { method: 'POST', body: answer, headers: { origin } })
  }
  // No relay listens there: the answer comes by loopback.
  const ASK = ['ask', '/mcp/tools/call', '--vault', 'http://127.0.0.1:9', '--json']

  it('and keeps what was granted', async () => {
    const at = await home()
    const asking = at.start(ASK)
    const { link } = JSON.parse(await asking.line())
    expect((await byLoopback(at, link)).status).toBe(204)
    const { code, out } = await asking.ended
    expect(code).toBe(0)
    expect(JSON.parse(out.trim().split('\n')[1] ?? '')).toMatchObject({ command: '/mcp/tools/call' })
    expect(JSON.parse((await at.run(['grants', '--json'])).out)).toHaveLength(1)
  })

  it('which may be no', async () => {
    const at = await home()
    const asking = at.start(ASK)
    const { link } = JSON.parse(await asking.line())
    await byLoopback(at, link, { refused: 'DECLINED', message: 'No.' })
    expect(await asking.ended).toMatchObject({ code: 1 })
    expect((await at.run(['grants', '--json'])).out).toBe('[]\n')
  })

  it('for so long, and no longer', async () => {
    const at = await home()
    const { code, out } = await at.run([...ASK, '--wait', '1s'])
    expect(code).toBe(1)
    expect(JSON.parse(out.trim().split('\n')[1] ?? '')).toMatchObject({ error: { code: 'RequestExpired' } })
  })
})

describe('ends with', () => {
  it.each([
    ['2: an unknown command', 2, ['grant'], ''],
    ['2: a half of a command', 2, ['gate'], ''],
    ['2: an unknown option', 2, ['grants', '--josn'], ''],
    ['2: a time that is none', 2, ['ask', '/x', '--vault', 'https://v.example', '--for', 'soon'], ''],
    ['2: a limit that is none', 2, ['ask', '/x', '--vault', 'https://v.example', '--limit', '{"a":1}'], ''],
    ['2: a way back that is none', 2, ['ask', '/x', '--vault', 'https://v.example', '--reply', 'post'], ''],
    ['2: a wait that is too long', 2, ['ask', '/x', '--vault', 'https://v.example', '--wait', '11m'], ''],
    ['2: nothing to read', 2, ['verify'], ''],
    ['2: a token on the command line', 2, ['add', `C${'a'.repeat(80)}`], ''],
    ['2: a name that leads out of the folder', 2, ['key', '--as', '../x'], ''],
    ['2: a command that is none', 2, ['ask', 'mcp', '--vault', 'https://v.example'], ''],
    ['2: a command that no vault grants', 2, ['ask', '/', '--vault', 'https://v.example'], ''],
    ['2: a vault without https', 2, ['ask', '/x', '--vault', 'http://v.example'], ''],
    ['2: a vault that is no address', 2, ['ask', '/x', '--vault', 'v.example'], ''],
    ['2: a time that is too short', 2, ['ask', '/x', '--vault', 'https://v.example', '--for', '59s'], ''],
    [
      '2: a reason that is too long',
      2,
      ['ask', '/x', '--vault', 'https://v.example', '--reason', 'x'.repeat(301)],
      '',
    ],
    [
      '2: a name that is too long',
      2,
      ['ask', '/x', '--vault', 'https://v.example', '--name', 'x'.repeat(61)],
      '',
    ],
    [
      '2: a limit that is no statement',
      2,
      ['ask', '/x', '--vault', 'https://v.example', '--reply', 'hand', '--limit', '["~", ".name", 3]'],
      '',
    ],
    [
      '2: a limit of a part that is no statement',
      2,
      ['narrow', '--to', owner.did, '--limit', '["~", ".name", 3]'],
      '',
    ],
    ['2: a receiver that is none', 2, ['narrow', '--to', 'x'], ''],
    ['2: a call without a slash', 2, ['invoke', 'notes/read'], '{}'],
    ['2: an audience that is none', 2, ['invoke', '/notes/read', '--audience', 'foo'], '{}'],
    ['2: an owner that is none', 2, ['relay', '--store', 'memory', '--owner', 'did:key:OWNER'], ''],
    ['2: a word too many', 2, ['key', 'work'], ''],
    ['2: a word too many for a gate', 2, ['gate', 'init', 'x', '--vault', 'https://v.example'], ''],
    ['2: a program that is not run', 2, ['key', '--', 'work'], ''],
    [
      '2: a secret on the command line',
      2,
      [
        'gate',
        'init',
        '--owner',
        owner.did,
        '--vault',
        'https://v.example',
        '--secret',
        'TOKEN=ghp_abc',
        '--',
        'x',
      ],
      '',
    ],
    ['1: an invalid token', 1, ['verify'], 'nonsense'],
    [
      '1: an answer that declines',
      1,
      ['add'],
      `keyhole-answer-1.${Buffer.from('{"refused":"DECLINED"}').toString('base64url')}`,
    ],
    ['1: no grant', 1, ['invoke', '/x'], '{}'],
    ['3: no file', 3, ['verify', 'nowhere'], ''],
    ['3: no configuration', 3, ['gate', 'check'], ''],
  ])('%s', async (_name, code, args, input) => {
    const at = await home()
    const ended = await at.run(args, input)
    expect(ended).toMatchObject({ code })
    // A stack is for developers.
    expect(ended.err).not.toMatch(/^\s+at /m)
    const again = await at.run([...args.filter((each) => each !== '--'), '--json'], input)
    expect(JSON.parse(again.out)).toBeTypeOf('object')
  })
})

it('says which file it could not read, and why', async () => {
  const at = await home()
  await writeFile(join(at.folder, 'empty'), '')
  const said = async (...args: string[]) => (await at.run(args)).err
  const [missing, folder, empty, nothing] = [
    await said('verify', 'nowhere'),
    await said('verify', '.'),
    await said('verify', 'empty'),
    await said('verify'),
  ]
  expect(missing).toContain('nowhere')
  expect(empty).toContain('empty')
  expect(new Set([missing.replace('nowhere', ''), folder, empty, nothing]).size).toBe(4)
})

it('tells who typed a wrong command line of a service, not its log', async () => {
  const at = await home()
  for (const args of [
    ['relay', '--listen', 'here'],
    ['relay', '--owner', 'foo'],
    ['gate', 'serve', '--listen', 'here'],
  ]) {
    const { code, err } = await at.run([...args, '--log-format', 'json'])
    expect([code, err]).toEqual([2, expect.stringMatching(/^keyhole: /)])
  }
})

/** Other programs of examples: those that start one, and those whose work doesn't matter. */
const OTHERS = `sudo() { shift 2; "$@"; }
claude() { while [ "$1" != -- ]; do shift; done; shift; "$@"; }
jq() { :; }
pbpaste() { :; }
keyhole() { printf '%s\\0' "$@" > "$KEYHOLE_CALLS/$BASHPID"; }
`

/** The calls of this command in a line for the shell, each with the words that the shell makes of it. */
function callsIn(line: string): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-examples-'))
  const calls = join(folder, 'calls')
  mkdirSync(calls)
  const env = { ...process.env, KEYHOLE_CALLS: calls }
  // Waits for what is in a process substitution too.
  execFileSync('bash', ['-c', `${OTHERS}${line}\nwait`], { env, cwd: folder, stdio: 'ignore' })
  return readdirSync(calls).map((file) => readFileSync(join(calls, file), 'utf8').split('\0').slice(0, -1))
}

/** The command that these words call. Fails if its parser doesn't take them. */
function parsed(words: readonly string[]): string {
  const begins = ({ name }: Command) => name.split(' ').every((word, at) => words[at] === word)
  const command = COMMANDS.find(begins)
  if (!command) throw new Error(`There is no command ${words.join(' ')}.`)
  const { name, operands, options = {} } = command
  const end = words.indexOf('--')
  const args = words.slice(name.split(' ').length, end < 0 ? undefined : end)
  const given = { args, options: parserOptions({ ...options, ...COMMON }), allowPositionals: true }
  if (operands === undefined) expect(parseArgs(given).positionals, words.join(' ')).toEqual([])
  else parseArgs(given)
  return name
}

it('explains each command, with examples that its parser takes', async () => {
  const at = await home()
  const { out } = await at.run(['--help'])
  for (const { name, examples } of COMMANDS) {
    expect(out).toContain(name)
    const help = await at.run([...name.split(' '), '--help'])
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain(`keyhole ${name}`)
    expect(examples.length, name).toBeGreaterThan(0)
    for (const [line] of examples) {
      expect(help.out).toContain(line)
      expect(callsIn(line).map(parsed), line).toContain(name)
    }
  }
  expect(() => parsed(['gate', 'check', '--josn'])).toThrow('--josn')
})

it.each(['zsh', 'fish'])('completes each command and option in %s', async (shell) => {
  const at = await home()
  const { code, out: script } = await at.run(['completions', shell])
  expect(code).toBe(0)
  for (const { name, options = {} } of COMMANDS) {
    const [first = '', second] = name.split(' ')
    const flags = Object.keys({ ...options, ...COMMON })
    if (shell === 'zsh') {
      // Bash's own, which zsh loads.
      const [, words = ''] = new RegExp(`^ *"${name}"\\) words="(.*)" ;;$`, 'm').exec(script) ?? []
      expect(words.split(' '), name).toEqual(flags.map((flag) => `--${flag}`))
      const above = second ? first : ''
      const [, inner = ''] = new RegExp(`^ *"${above}"\\) words="(.*)" ;;$`, 'm').exec(script) ?? []
      expect(inner.split(' ')).toContain(second ?? first)
    } else {
      const lines = script.split('\n')
      const within = second ? `__fish_seen_subcommand_from ${first}` : '__fish_use_subcommand'
      expect(lines.filter((line) => line.includes(`'${within}' -a ${second ?? first} -d `))).toHaveLength(1)
      const about = lines.filter((line) =>
        line.includes(`'__fish_seen_subcommand_from ${second ?? first}' -l `),
      )
      for (const flag of flags)
        expect(
          about.filter((line) => line.split(' ').includes(flag)),
          `${name} --${flag}`,
        ).not.toEqual([])
    }
  }
  if (!isInstalled(shell)) return
  const load = shell === 'zsh' ? `autoload -U compinit && compinit -u\n${script}` : script
  const said = execFileSync(shell, shell === 'zsh' ? ['-f', '-c', load] : ['--no-config', '-c', load], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(said).toBe('')
})

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

it('completes in bash, and in no shell that it does not know', async () => {
  const at = await home()
  const script = (await at.run(['completions', 'bash'])).out
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(${words.map((each) => `'${each}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _keyhole; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split(' ')
  expect(complete('keyhole', 'gr')).toEqual(['grants'])
  expect(complete('keyhole', 'gate', 'ch')).toEqual(['check'])
  expect(complete('keyhole', 'gate', 'init', '--ow')).toEqual(['--owner'])
  expect(complete('keyhole', 'ask', '--va')).toEqual(['--vault'])
  expect((await at.run(['completions', 'tcsh'])).code).toBe(2)
})

describe('a gate', () => {
  const files = join(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
    '../dist/index.js',
  )
  const init = async (at: Home) =>
    await at.run([
      'gate',
      'init',
      '--owner',
      owner.did,
      '--vault',
      'https://vault.example',
      '--',
      process.execPath,
      files,
      at.folder,
    ])

  it('is configured once, and tried', async () => {
    const at = await home()
    expect((await init(at)).code).toBe(0)
    const path = join(at.folder, 'keyhole-gate.json')
    const again = await init(at)
    expect([again.code, again.err]).toEqual([3, expect.stringContaining('--config')])
    // The folder that the file server was given is offered in the vault.
    const written = JSON.parse(await readFile(path, 'utf8'))
    expect(written.servers.files.suggest).toEqual([`${at.folder}/*`])
    const { code, said } = await at.json(['gate', 'check'])
    expect(code).toBe(0)
    expect(said.did).toMatch(/^did:key:/)
    expect(JSON.stringify(said.servers)).toContain(
      '"name":"read_text_file","paths":["path"],"state":"offered"',
    )
    // One that does not say which arguments are paths is told of.
    const config = JSON.parse(await readFile(path, 'utf8'))
    delete config.servers.files.paths
    await writeFile(path, JSON.stringify(config))
    expect((await at.run(['gate', 'check'])).code).toBe(1)
    await writeFile(path, '{')
    expect((await at.json(['gate', 'check'])).said).toMatchObject({ error: { code: 'INVALID_CONFIG' } })
  })

  it('introduces itself to the vault when it is configured, and again', async () => {
    const at = await home()
    // What is after -- is the server's.
    const configured = await at.run([
      ...['gate', 'init', '--json', '--owner', owner.did, '--vault', 'https://vault.example'],
      ...['--title', 'Office'],
      ...['--', process.execPath, files, at.folder],
    ])
    expect(configured.code).toBe(0)
    const said = JSON.parse(configured.out)
    const { link } = said
    expect(link).toMatch(/^https:\/\/vault\.example\/identity\?tab=contacts#keyhole-service-1\.[CP][\w-]+$/)
    const again = await at.json(['gate', 'introduce', '--address', 'https://gate.example'])
    expect(again).toMatchObject({ code: 0, said: { missing: [], did: said.did } })
    expect(again.said.link).not.toBe(link)
    const read = await at.json(['inspect'], String(again.said.text).slice('keyhole-service-1.'.length))
    expect(JSON.stringify(read.said)).toContain('/service/introduce')
    for (const wrong of [
      ['--address', 'http://gate.example'],
      ['--title', 'x'.repeat(61)],
    ])
      expect((await at.run(['gate', 'introduce', ...wrong])).code).toBe(3)
  })

  it('is not configured for a program that is not there', async () => {
    const at = await home()
    for (const program of ['no-such-program', './no-such-program', at.folder]) {
      const args = ['gate', 'init', '--json', '--vault', 'https://vault.example', '--', program]
      const { code, out } = await at.run(args)
      expect([code, JSON.parse(out)]).toMatchObject([3, { error: { code: 'START_FAILED' } }])
    }
    expect(await readdir(at.folder)).not.toContain('keyhole-gate.json')
  })

  it("is configured without an introduction while it can't start", async () => {
    const at = await home()
    const configured = await at.run([
      ...['gate', 'init', '--json', '--owner', owner.did, '--vault', 'https://vault.example'],
      ...['--secret', 'TOKEN=env:NOT_THERE_YET', '--', process.execPath, files, at.folder],
    ])
    expect(configured.code).toBe(0)
    const said = JSON.parse(configured.out)
    expect(said.path).toContain('keyhole-gate.json')
    expect(said).not.toHaveProperty('link')
    expect((await at.json(['gate', 'introduce'])).said).toMatchObject({
      error: { code: 'CREDENTIAL_MISSING' },
    })
  })

  it('is configured for a server on the network', async () => {
    const at = await home()
    const base = ['gate', 'init', '--owner', owner.did, '--vault', 'https://vault.example']
    const url = ['--url', 'https://tracker.example/mcp']
    for (const wrong of [base, [...base, ...url, '--', 'x'], [...base, ...url, '--secret', 'K=ghp_abc']])
      expect((await at.run(wrong)).code).toBe(2)
    expect((await at.run([...base, ...url, '--secret', 'X-Key=env:TRACKER_KEY'])).code).toBe(0)
    const config = JSON.parse(await readFile(join(at.folder, 'keyhole-gate.json'), 'utf8'))
    expect(config.servers.files).toEqual({
      url: 'https://tracker.example/mcp',
      auth: { header: 'X-Key', prefix: '', secret: 'env:TRACKER_KEY' },
    })
  })

  it('takes a revocation, and nothing else', async () => {
    const at = await home()
    await init(at)
    const grant = delegation(owner, person(9))
    expect(await at.json(['gate', 'revoke'], container([revocation(owner, grant)]))).toMatchObject({
      code: 0,
      said: { revoked: grant.cid },
    })
    expect((await at.run(['gate', 'revoke'], container([grant]))).code).toBe(1)
    expect((await at.run(['gate', 'log'])).code).toBe(0)
  })

  it('takes one revocation a line, and says which lines are none', async () => {
    const at = await home()
    await init(at)
    const grants = [delegation(owner, person(9)), delegation(owner, person(8))]
    const lines = grants.map((grant) => container([revocation(owner, grant)]))
    const cids = grants.map(({ cid }) => cid)
    expect(await at.json(['gate', 'revoke'], `${lines.join('\n\n')}\n`)).toMatchObject({
      code: 0,
      said: { revoked: cids },
    })
    const some = await at.run(['gate', 'revoke'], [lines[0], 'x', container(grants)].join('\n'))
    expect(some.code).toBe(1)
    expect(some.err).toContain('The gate has 1 of these revocations')
    expect(some.err).toContain('2, 3')
    const [line = ''] = lines
    const broken = `${line.slice(0, 70)}\n${line.slice(70)}`
    expect(await at.json(['gate', 'revoke'], broken)).toMatchObject({ code: 0, said: { revoked: cids[0] } })
    expect((await at.run(['gate', 'revoke'], 'x\ny')).code).toBe(1)
    const twelve = await at.run(['gate', 'revoke'], [line, ...'abcdefghijkl'].join('\n'))
    expect(twelve.err).toContain('2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 2 more.')
    const many = await at.run(['gate', 'revoke'], Array(2_001).fill(line).join('\n'))
    expect(many.code).not.toBe(0)
    expect(many.err).toContain('2001 lines')
  })

  it('takes a revocation without its credentials, and without its cluster', async () => {
    const at = await home()
    await init(at)
    const path = join(at.folder, 'keyhole-gate.json')
    const config = JSON.parse(await readFile(path, 'utf8'))
    config.servers.files.secrets = { TOKEN: 'env:NOT_SET_HERE' }
    config.cluster = { servers: ['127.0.0.1:1'] }
    await writeFile(path, JSON.stringify(config))
    const grant = delegation(owner, person(9))
    expect(await at.json(['gate', 'revoke'], container([revocation(owner, grant)]))).toMatchObject({
      code: 0,
      said: { revoked: grant.cid },
    })
  })

  it("follows its owner's revocations by a grant that is pasted, and by no other", async () => {
    const at = await home()
    await init(at)
    const { code, said } = await at.json(['gate', 'follow', '--reply', 'hand'])
    expect(code).toBe(0)
    expect(said.link).toContain('https://vault.example/connect#keyhole-request-1.')
    const gate = { ...owner, did: String((await at.json(['gate', 'check'])).said.did) }
    const grant = (to: typeof owner) => container([delegation(owner, to, { cmd: '/relay/revocations/read' })])
    const relayOf = async () => JSON.parse(await readFile(join(at.folder, 'keyhole-gate.json'), 'utf8')).relay
    expect((await at.run(['gate', 'add'], grant(person(9)))).code).not.toBe(0)
    expect(await relayOf()).toBeUndefined()
    expect(await at.json(['gate', 'add'], grant(gate))).toMatchObject({ code: 0, said: { owner: owner.did } })
    expect(await relayOf()).toBe('https://vault.example/relay')
  })

  it('has a schema of its configuration', async () => {
    const { said } = await (await home()).json(['gate', 'schema'])
    expect(said).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['owners', 'vault'],
      properties: { servers: { type: 'object' }, services: { type: 'object' } },
    })
  })
})
