// From a checkout with its packages installed (`npm ci` done) to an agent's first authorised call: everything is built, a vault is made in Chromium, a
// gate is put before the official file server, and a person grants a folder, as in the story's test. A person's reading isn't in it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '../measure.mjs'

const root = join(import.meta.dirname, '../..')

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  })
  expect(status === 0, `${command} ${args.join(' ')} ended with ${status}`)
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const report = join(folder, 'report.json')
  try {
    const begun = Date.now()
    run('npm', ['run', 'build'])
    const built = Date.now()
    run('npx', ['playwright', 'test', 'story', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
    const said = readFileSync(report, 'utf8')
    const noted = (/** @type {string} */ type) =>
      new RegExp(`"type":\\s*"${type}",\\s*"description":\\s*"(\\d+)`).exec(said)?.[1]
    const [at, refused] = ['first authorised call at', 'from the press to the refusal'].map(noted)
    expect(at !== undefined && refused !== undefined, 'the story says when it called, and was refused')
    return [
      {
        title: 'From `npm ci` being done to an agent’s first authorised call',
        note: 'Building the packages and the client, then the story: a vault in Chromium, a gate, a grant, a call. Bar: 60 s.',
        rows: [
          { name: 'building', unit: 's', value: (built - begun) / 1_000 },
          { name: 'all of it', unit: 's', value: (Number(at) - begun) / 1_000 },
        ],
      },
      {
        title: 'From pressing “Revoke it for good” until the gate refuses the agent’s next call',
        note: 'In the same story: the vault in Chromium, the relay, the gate and the agent on this machine. Bar: 1,000 ms.',
        rows: [{ name: 'the next call that is refused', unit: 'ms', value: Number(refused) }],
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
