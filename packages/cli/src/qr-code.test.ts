// The QR codes of links, read back from what the terminal shows.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { decodeQR } from 'qr/decode.js'
import { expect, it } from 'vitest'
import { person } from '../../enclave/src/test/naive-tokens.ts'
import { run } from './cli.ts'
import { longestIn, qrLines } from './qr-code.ts'
import { readIntroduction } from './test/owner-vault.ts'

const HALVES = ' ▀▄█'
/** How many pixels a camera sees of a module. */
const SCALE = 4

/** What a camera reads of these lines; undefined if there is no code. */
function scan(lines: readonly string[]): string | undefined {
  const coloured = lines.filter((line) => line.startsWith('\u001b[38;5;16;48;5;231m'))
  const rows = coloured.map((line) => stripVTControlCharacters(line))
  if (rows.length === 0) return undefined
  const [columns, height] = [[...(rows[0] ?? '')].length, rows.length * 2]
  const [width, tall] = [columns * SCALE, height * SCALE]
  const data = new Uint8Array(width * tall * 4).fill(255)
  for (let y = 0; y < tall; y += 1)
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / SCALE)
      const half = HALVES.indexOf(rows[row >> 1]?.[Math.floor(x / SCALE)] ?? ' ')
      if ((half >> (row & 1)) & 1) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  return decodeQR({ width, height: tall, data })
}

/** Runs a command. @param columns of its terminal, if it has one */
async function said(args: readonly string[], cwd: string, columns?: number): Promise<readonly string[]> {
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, XDG_DATA_HOME: join(cwd, 'data') }
  const lines: string[] = []
  const take = (text: string) => void lines.push(...text.split('\n'))
  const io = { env, cwd, read: async () => '', bytes: async () => Buffer.alloc(0), print: take, tell: take }
  expect(await run(args, { ...io, ...(columns !== undefined && { columns }) })).toBe(0)
  return lines
}
const linkIn = (lines: readonly string[]) => lines.find((line) => line.startsWith('https://vault.example/'))
const folder = () => mkdtemp(join(tmpdir(), 'keyhole-qr-'))

it('is read as the link', () => {
  for (const length of [20, 400, 858, 2_953]) {
    const link = `https://vault.example/#${'aZ0-_'.repeat(600)}`.slice(0, length)
    expect(scan(qrLines(link, 200))).toBe(link)
  }
})

it('is no wider than the terminal', () => {
  for (const columns of [40, 80, 120, 179]) {
    const longest = longestIn(columns)
    expect(scan(qrLines('a'.repeat(longest), columns))).toBe('a'.repeat(longest))
    expect(scan(qrLines('a'.repeat(longest + 1), columns))).toBeUndefined()
  }
  expect(qrLines('a'.repeat(900), 80)).toEqual([expect.stringContaining('103 columns')])
  expect(qrLines('a'.repeat(2_954), 1_000)).toEqual([expect.stringContaining('too long')])
})

it('is shown with a request, to a person alone', async () => {
  const cwd = await folder()
  const ask = ['ask', '/http/get', '--vault', 'https://vault.example', '--reply', 'hand']
  const lines = await said(ask, cwd, 120)
  expect(scan(lines)).toBe(linkIn(lines))
  expect(scan(await said(ask, cwd))).toBeUndefined()
  expect(scan(await said([...ask, '--json'], cwd, 120))).toBeUndefined()
})

it('is shown with an introduction, which says less if it has to', async () => {
  const cwd = await folder()
  const files = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')
  const server = { command: process.execPath, args: [join(files, '../dist/index.js'), cwd], paths: ['path'] }
  const config = { owners: [person(1).did], vault: 'https://vault.example', servers: { files: server } }
  await writeFile(join(cwd, 'keyhole-gate.json'), JSON.stringify(config))
  const introduce = ['gate', 'introduce', '--reply', 'hand']
  const all = await said(introduce, cwd, 120)
  expect(scan(all)).toBeUndefined()
  const less = await said([...introduce, '--qr'], cwd, 120)
  expect(scan(less)).toBe(linkIn(less))
  expect(await readIntroduction(linkIn(less) ?? '')).toEqual({
    ...(await readIntroduction(linkIn(all) ?? '')),
    digest: expect.any(String),
  })
})
