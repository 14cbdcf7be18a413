// What a command meets in a shell: files that aren't files, ends that are closed, disks that are full.
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { container, delegation, person } from '../../enclave/src/test/naive-tokens.ts'
import { home } from './test/command.ts'
import { quoted } from './test/terminal.ts'

/** Runs a line of the shell in which `keyhole` is the command. */
async function inShell(line: string, more: Readonly<Record<string, string>> = {}) {
  const { folder, env, program } = await home(more)
  const keyhole = quoted([process.execPath, program])
  const child = spawn('bash', ['-c', line.replaceAll('keyhole', keyhole)], { cwd: folder, env })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err, folder }
}

it.each([
  ['a folder', 'keyhole verify .', 'FILE'],
  ['no file', 'keyhole verify none', 'FILE'],
  ['a file without an end', 'keyhole verify /dev/zero', 'TOO_LONG'],
  ['input without an end', 'keyhole verify < /dev/zero', 'TOO_LONG'],
  ['a huge file', 'truncate -s 5G huge; keyhole verify huge', 'TOO_LONG'],
])('%s is refused', async (_what, line, code) => {
  const { code: exit, out } = await inShell(`${line} --json`)
  expect(JSON.parse(out)).toMatchObject({ error: { code } })
  expect(exit).toBe(3)
})

it('a pipe is read to its end', async () => {
  const { code, out } = await inShell('keyhole verify --json <(echo nonsense)')
  expect([code, JSON.parse(out)]).toMatchObject([1, { valid: false }])
})

it.each([
  ['what it says is not read', 'keyhole key | true; exit $PIPESTATUS', 0],
  ['the answer is no', 'set -o pipefail; echo nonsense | keyhole verify --json | true', 1],
  ['no one reads what went wrong', 'keyhole nonsense 2>&1 | true; exit $PIPESTATUS', 2],
  ['nothing can be told', 'keyhole nonsense 2>/dev/full', 2],
  ['the answer can’t be written', 'keyhole key >/dev/full', 3],
  ['its output is closed', 'keyhole nonsense >&- 2>&-', 2],
])('the exit code is right though %s', async (_what, line, code) => {
  expect((await inShell(line)).code).toBe(code)
})

it('no key is left in the folder where it runs, whatever the environment says', async () => {
  const { folder, code } = await inShell('keyhole key', { XDG_DATA_HOME: 'data' })
  expect([await readdir(folder), code]).toEqual([['.local'], 0])
})

it.each([
  ['the key', 'keyhole key', 'StoreFailed'],
  ['a new key', 'keyhole key --new ci.key', 'FILE'],
])('%s leaves no part of a file on a full disk', async (_what, line, code) => {
  // No file may have a single byte.
  const { code: exit, out, folder } = await inShell(`ulimit -f 0; ${line} --json`)
  expect(JSON.parse(out)).toMatchObject({ error: { code } })
  expect(exit).toBe(3)
  const left = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(left.filter((each) => each.isFile()).map(({ name }) => name)).toEqual([])
})

it('a grant with a huge number, and letters that steer a terminal, is listed as it is', async () => {
  const at = await home()
  const { did } = (await at.json(['key'])).said
  const fields = {
    cmd: '/msg/send\n  limit     none\u001b[2j',
    pol: [['==', '.id', 9_007_199_254_740_993n]],
  }
  const text = container([delegation(person(1), { ...person(2), did: String(did) }, fields)])
  expect((await at.run(['add'], text)).code).toBe(0)
  const listed = await at.run(['grants'])
  expect(listed.out).toContain('["==",".id",9007199254740993]')
  expect(listed.out).toContain('/msg/send\\u{a}  limit')
  expect(listed.out).not.toContain('\u001b')
  expect((await at.run(['grants', '--json'])).out).toContain('9007199254740993]')
})

it('a grant that ends beyond the calendar is listed, and hides no other', async () => {
  const at = await home()
  const { did } = (await at.json(['key'])).said
  for (const exp of [2n ** 53n - 1n, 4_000_000_000n]) {
    const text = container([delegation(person(1), { ...person(2), did: String(did) }, { exp })])
    expect(await at.run(['verify'], text)).toMatchObject({ code: 0 })
    expect(await at.run(['add'], text)).toMatchObject({ code: 0 })
  }
  const { code, out } = await at.run(['grants'])
  expect(code).toBe(0)
  expect(out).toContain('2096-10-02T07:06:40Z')
  expect(out).toContain('9007199254740991')
})

it('a huge number is shown as it is, whatever shows it', async () => {
  const pol = [['==', '.id', 9_007_199_254_740_993n]]
  const text = container([delegation(person(1), person(2), { pol })])
  const at = await home()
  for (const args of [['verify'], ['verify', '--json'], ['inspect'], ['inspect', '--json']])
    expect((await at.run(args, text)).out, args.join(' ')).toContain('9007199254740993')
})

it('a number in a limit that a request would round is refused', async () => {
  const at = await home()
  const limit = '["==",".id",9007199254740993]'
  const { code, said } = await at.json([
    ...['ask', '/msg/send', '--vault', 'https://vault.example', '--reply', 'hand', '--limit', limit],
  ])
  expect([code, said]).toMatchObject([2, { error: { code: 'USAGE' } }])
})

it('what is told steers no terminal', async () => {
  const { code, err } = await (await home()).run(['key', '--\u001b[2J'])
  expect([code, err.includes('\u001b')]).toEqual([2, false])
})
