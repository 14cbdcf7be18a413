// A new project outside this repository, with the packages installed from their tarballs, and the tools to test them with.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../suites.mjs'

const PACKAGES = ['enclave', 'vault', 'vault-react', 'holder', 'connect', 'relay', 'verify', 'gate', 'cli']
/** The tools to run, by the names under which they are installed. */
const TOOLS = {
  bun: '1.4.5',
  deno: '2.9.6',
  node22: 'npm:node@22',
  node24: 'npm:node@24',
  node26: 'npm:node@26',
  workerd: '1.20261117.1',
  esbuild: '0.28.2',
  vite: '8.3.8',
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  fastify: '5.12.8',
  publint: '0.3.25',
  '@arethetypeswrong/cli': '0.18.5',
  'typescript5.7': 'npm:typescript@5.7.3',
  'typescript5.9': 'npm:typescript@5.9',
  typescript6: 'npm:typescript@6',
  typescript: '7.0.2',
  '@types/node': '20.19.43',
  '@types/react': '19.3.0',
}

const folder = mkdtempSync(join(tmpdir(), 'keyhole-elsewhere-'))

/** A path in the project. @param {string[]} parts */
export const at = (...parts) => join(folder, ...parts)

/** A command installed in the project. @param {string} name */
export const bin = (name) => at('node_modules/.bin', name)

/** Creates a folder in the project. @param {string} name @returns {string} its path */
export function site(name) {
  mkdirSync(at(name, 'public'), { recursive: true })
  return at(name)
}

/** The path of each package's tarball, by name. @type {Map<string, string>} */
export const tarballs = new Map()

const start = promisify(execFile)

/** How long a command may take, and how long the installation of all tools, in milliseconds. */
const LONGEST = 300_000
const LONGEST_INSTALL = 1_200_000

/**
 * Runs a command and returns its output. On failure, the error includes it.
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 * @param {number} [timeout] in milliseconds
 */
export async function run(command, args, cwd = folder, timeout = LONGEST) {
  try {
    const { stdout } = await start(command, args, {
      cwd,
      encoding: 'utf8',
      timeout,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: 'true' },
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{stdout?: string, stderr?: string}} */ (error)
    throw new Error(
      `${command} ${args.join(' ')} failed: ${stderr.trim()}\n${stdout.trim()}`.slice(0, 3000),
      {
        cause: error,
      },
    )
  }
}

/** Packs the packages, and installs them and the tools in one go. */
export async function install() {
  const which = PACKAGES.flatMap((name) => ['-w', `packages/${name}`])
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder, ...which], root)
  for (const { name, filename } of Object.values(JSON.parse(packed))) tarballs.set(name, at(filename))
  const own = [...tarballs].map(([name, path]) => [name, `file:${path}`])
  const dependencies = { ...Object.fromEntries(own), ...TOOLS }
  writeFileSync(at('package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder, LONGEST_INSTALL)
}

/** The first example of a README, exactly as printed. @param {string} readme */
export function firstExample(readme) {
  const [, example] = /^```(?:js|ts|tsx)\n([\s\S]+?)^```/m.exec(readFileSync(readme, 'utf8')) ?? []
  if (example === undefined) throw new Error(`${readme} has no example.`)
  return example
}

/** The first example in a package's packed README. @param {string} name without its scope */
export const exampleOf = (name) => firstExample(at('node_modules/@keyhole', name, 'README.md'))

/** @param {string} what @param {string} said @param {RegExp} expected */
export function expectSaid(what, said, expected) {
  if (!expected.test(said))
    throw new Error(`${what}: its example said ${JSON.stringify(said.slice(0, 400))}, expected ${expected}.`)
}
