// Hundreds of calls that try to get past a policy: what reaches the server is held against an evaluator that shares no code with the gate.
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { policyHolds } from '../../../enclave/src/test/naive-evaluator.ts'
import { folder, hostileServer, open } from '../test/parts.ts'
import { signedCall, toValue } from '../test/signed.ts'

it('none reaches the server unless the policy holds of what the server is sent', async () => {
  const home = await folder()
  const notes = join(home, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'a.txt'), 'a')
  await writeFile(join(home, 'b.txt'), 'b')
  await symlink(home, join(notes, 'up'))
  const seen = join(home, 'seen')
  const { gate } = await open({ bad: hostileServer({ SEEN: seen }) })
  const policies = [
    [['like', '.arguments.path', `${notes}/*`]],
    [
      ['==', '.name', 'echo'],
      ['like', '.arguments.path', `${notes}/*`],
    ],
    [
      ['not', ['like', '.arguments.path', `${home}/b*`]],
      ['==', '.name', 'echo'],
    ],
    [
      [
        'and',
        [
          ['!=', '.arguments.path', `${home}/b.txt`],
          ['like', '.arguments.path', `${home}/*`],
        ],
      ],
    ],
  ]
  const back = [
    '..',
    '%2e%2e',
    '.%2e',
    '..%2f',
    '..\\',
    '．．',
    '..;',
    '%252e%252e',
    '\u2025',
    '.\u200b.',
    '../.',
    '..//',
    'up',
  ]
  const ends = ['b.txt', 'b.txt ', 'B.TXT', 'b.txt"', 'b.txt\0', 'b.txt/', 'b.txt/.', 'b%2etxt', 'ｂ.txt']
  const paths: unknown[] = [
    `${notes}/a.txt`,
    `${home}/b.txt`,
    ...back.flatMap((dots) => ends.map((end) => `${notes}/${dots}/${end}`)),
    ...ends.map((end) => `${home}/${end}`),
    [`${notes}/a.txt`, `${home}/b.txt`],
    { path: `${notes}/a.txt` },
    null,
    true,
    7,
  ]
  const names = ['echo', 'Echo', 'echo ', 'ech\u043e', 'pieces']
  const calls = paths.flatMap((path, at) => {
    const name = names[at % names.length]
    return [
      { name: 'echo', arguments: { path } },
      { name, arguments: { path } },
      { name, arguments: { path, how: 'x' } },
    ]
  })
  let tried = 0
  const allowed: unknown[] = []
  for (const [at, args] of calls.entries()) {
    const pol = policies[at % policies.length] ?? []
    const made = signedCall(
      gate.did,
      '/mcp/tools/call',
      { server: 'bad', ...args },
      { command: '/mcp/tools/call', policy: pol },
    )
    const before = (await readFile(seen, 'utf8').catch(() => '')).length
    await gate.servers
      .get('bad')
      ?.call(made)
      .catch(() => {})
    const sent = (await readFile(seen, 'utf8').catch(() => '')).slice(before)
    tried += 1
    if (sent === '') continue
    const params = JSON.parse(sent)
    expect(params).toEqual(args)
    expect(policyHolds(toValue(pol), toValue({ server: 'bad', ...params }))).toBe(true)
    // What the server would open is what was compared.
    const { path } = params.arguments
    expect(await realpath(path).catch(() => path)).toBe(path)
    allowed.push(path)
  }
  expect(tried).toBeGreaterThanOrEqual(300)
  expect(allowed).toContain(`${notes}/a.txt`)
})
