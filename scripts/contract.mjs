// Writes packages/enclave/src/generated/contract.ts and the tables of exports and refusals in docs/enclave.md: the input and answer of each export of
// the plugin, from the Rust types that decode and encode them, and what is declared about it.
// Usage: npm run contract. With `--check` it only says whether both are up to date.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './suites.mjs'

const FILE = join(root, 'packages/enclave/src/generated/contract.ts')
const PAGE = join(root, 'docs/enclave.md')

/** @typedef {Record<string, any>} Schema */

/** @typedef {{ changes_vault: boolean, holds_secrets: boolean, keyless: boolean, for_all_devices: string[], strangers: string[] }} Declared */
/** @typedef {{ name: string, about: string, names: string[] }} Group */
/** @typedef {Record<string, { input: Schema, answer: Schema, declared: Declared, refuses: string[] }>} Exports */
/** @typedef {{ exports: Exports, device_exports: Exports, refusals: Group[], device_refusals: Group[], inputs: Record<string, Schema>, answers: Record<string, Schema> }} Contract */

/** @returns {Contract} */
function readContract() {
  const example = ['-p', 'keyhole-enclave', '--features', 'devices,schema', '--example', 'contract']
  const { status, stdout } = spawnSync('cargo', ['run', '--quiet', '--locked', ...example], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('The contract could not be read from the Rust sources.')
  return JSON.parse(stdout)
}

const pascal = (/** @type {string} */ name) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())

/** One side of the contract: inputs or answers. Null is included if it means something other than a missing field. */
class Side {
  /** @param {Record<string, Schema>} shapes @param {'Input' | 'Answer'} kind */
  constructor(shapes, kind) {
    this.shapes = shapes
    this.kind = kind
    /** @type {Map<string, string>} */
    this.names = new Map(Object.keys(shapes).map((name) => [name, name]))
  }

  /** @param {Schema} schema @returns {string} */
  type(schema) {
    if (schema === true || Object.keys(schema).every((key) => key === 'description' || key === 'default'))
      return 'unknown'
    if (schema.$ref) return this.names.get(schema.$ref.split('/').at(-1)) ?? 'unknown'
    if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'")
    if (schema.enum) return schema.enum.map((/** @type {unknown} */ one) => `'${one}'`).join(' | ')
    const either = schema.anyOf ?? schema.oneOf
    if (either) return either.map((/** @type {Schema} */ one) => this.type(one)).join(' | ')
    const types = [schema.type].flat()
    return types.map((type) => this.#plain(type, schema)).join(' | ')
  }

  /** @param {string} type @param {Schema} schema */
  #plain(type, schema) {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'array') return this.#list(schema)
    if (type === 'object') return this.#object(schema)
    return type
  }

  /** @param {Schema} schema */
  #list(schema) {
    if (schema.minItems !== undefined && schema.minItems === schema.maxItems) {
      const items = Array.from({ length: schema.minItems }, () => this.type(schema.items))
      return `readonly [${items.join(', ')}]`
    }
    const item = this.type(schema.items ?? true)
    return /[|&]|^readonly /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`
  }

  /** @param {Schema} schema */
  #object(schema) {
    if (!schema.properties && schema.additionalProperties)
      return `Readonly<Record<string, ${this.type(schema.additionalProperties)}>>`
    if (!schema.properties) return 'Readonly<Record<string, never>>'
    return `{ ${this.fields(schema).join('\n')} }`
  }

  /** @param {Schema} schema @returns {string[]} */
  fields(schema) {
    const required = new Set(schema.required ?? [])
    return Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const given = this.type(field)
      const isRequired = required.has(name)
      const said = isRequired || field['x-null'] ? given : given.replace(/ \| null$/, '')
      // An undefined field is not sent.
      const type = isRequired || this.kind === 'Answer' ? said : `${said} | undefined`
      return `${comment(field.description, '  ')}  readonly ${name}${isRequired ? '' : '?'}: ${type}`
    })
  }

  /** @param {string} name @param {Schema} schema */
  declaration(name, schema) {
    const about = comment(schema.description, '')
    if (schema.type === 'object' && schema.properties && !schema.anyOf && !schema.oneOf)
      return `${about}export interface ${name} {\n${this.fields(schema).join('\n')}\n}`
    return `${about}export type ${name} = ${this.type(schema)}`
  }
}

/** @param {string | undefined} text @param {string} indent */
function comment(text, indent) {
  if (!text) return ''
  const lines = text.replaceAll('\n', ' ').replaceAll('*/', '* /').trim()
  return `${indent}/** ${lines} */\n`
}

/** @param {Contract} contract @returns {string} */
function source(contract) {
  const { inputs, answers } = contract
  const exports = { ...contract.exports, ...contract.device_exports }
  const sides = { input: new Side(inputs, 'Input'), answer: new Side(answers, 'Answer') }
  // A shape that only one export uses is named after it.
  for (const side of /** @type {const} */ (['input', 'answer'])) {
    const { names, shapes, kind } = sides[side]
    for (const shape of Object.keys(shapes)) {
      const uses = Object.entries(exports).filter(([, one]) => one[side].$ref === `#/$defs/${shape}`)
      const isInner = JSON.stringify(shapes).includes(`"#/$defs/${shape}"`)
      if (uses.length === 1 && uses[0] && !isInner) names.set(shape, `${pascal(uses[0][0])}${kind}`)
      else if (uses.length > 1) names.set(shape, shape.replace(/\d+$/, ''))
    }
  }
  /** @type {Map<string, string>} */
  const declarations = new Map()
  for (const side of [sides.answer, sides.input]) {
    for (const [shape, name] of side.names) {
      const text = side.declaration(name, side.shapes[shape] ?? {})
      const before = declarations.get(name)
      if (before === undefined) declarations.set(name, text)
      else if (bare(before) !== bare(text))
        throw new Error(`Two shapes are named ${name}:\n${before}\n${text}`)
    }
  }
  const required = (/** @type {Schema} */ schema) => {
    if (schema.$ref) return required(answers[schema.$ref.split('/').at(-1)] ?? {})
    const either = schema.anyOf ?? schema.oneOf
    const own = schema.required ?? []
    if (!either) return own
    // For alternatives, the fields that all of them have.
    const [first = [], ...others] = either.map(required)
    return [
      ...own,
      ...first.filter((/** @type {string} */ name) => others.every((each) => each.includes(name))),
    ]
  }
  const list = (/** @type {string[]} */ names) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  const groups = (/** @type {Group[]} */ given) =>
    given.map(({ name, about, names }) => `${comment(about, '  ')}  ${name}: ${list(names)},`)
  const refuses = (/** @type {Exports} */ given) =>
    Object.entries(given).map(([name, one]) => `  ${name}: ${list(one.refuses)},`)
  const fields = (/** @type {Exports} */ given) =>
    Object.entries(given).map(
      ([name, { answer }]) => `  ${name}: ${JSON.stringify(required(answer)).replaceAll('"', "'")},`,
    )
  const entries = (/** @type {Exports} */ given) =>
    Object.entries(given).map(
      ([name, { input, answer }]) =>
        `  readonly ${name}: { readonly input: ${sides.input.type(input)}; readonly answer: ${sides.answer.type(answer)} }`,
    )
  return `${[
    '// Written by `npm run contract` from the Rust types of crates/enclave. Change those.',
    'export interface EnclaveContract {',
    ...entries(contract.exports),
    '}',
    '',
    '/** What only the build with devices has. */',
    'export interface DeviceContract {',
    ...entries(contract.device_exports),
    '}',
    '',
    '/** The fields that every answer of an export has. */',
    'export const ANSWER_FIELDS = {',
    ...fields(contract.exports),
    '} as const satisfies Record<keyof EnclaveContract, readonly string[]>',
    '',
    '/** The same of the exports for devices. */',
    'export const DEVICE_ANSWER_FIELDS = {',
    ...fields(contract.device_exports),
    '} as const satisfies Record<keyof DeviceContract, readonly string[]>',
    '',
    '/** What is refused, in groups. */',
    'export const REFUSALS = {',
    ...groups(contract.refusals),
    '} as const satisfies Record<string, readonly RefusalName[]>',
    '',
    '/** What only the exports for devices refuse. */',
    'export const DEVICE_REFUSALS = {',
    ...groups(contract.device_refusals),
    '} as const',
    '',
    '/** The groups of what each export may refuse. */',
    'export const REFUSES = {',
    ...refuses(contract.exports),
    '} as const satisfies Record<keyof EnclaveContract, readonly (keyof typeof REFUSALS)[]>',
    '',
    '/** The same of the exports for devices. */',
    'export const DEVICE_REFUSES = {',
    ...refuses(contract.device_exports),
    '} as const satisfies Record<keyof DeviceContract, readonly (keyof typeof REFUSALS | keyof typeof DEVICE_REFUSALS)[]>',
    '',
    ...[...declarations].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => `${text}\n`),
  ].join('\n')}`
}

/** Without its comments. @param {string} text */
function bare(text) {
  return text
    .replaceAll(/\/\*\*.*?\*\/\n/g, '')
    .replaceAll(' | undefined', '')
    .replaceAll(/\s+/g, ' ')
}

/**
 * A schema's fields in words; with several shapes, those of each.
 * @param {Schema} schema
 * @param {Record<string, Schema>} shapes
 * @returns {string}
 */
function fieldsOf(schema, shapes) {
  if (schema.$ref) return fieldsOf(shapes[schema.$ref.split('/').at(-1)] ?? {}, shapes)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return either.map((/** @type {Schema} */ one) => fieldsOf(one, shapes)).join(' or ')
  const required = new Set(schema.required ?? [])
  const names = Object.keys(schema.properties ?? {}).map(
    (name) => `\`${name}${required.has(name) ? '' : '?'}\``,
  )
  return names.length > 0 ? names.join(', ') : '–'
}

/** @param {Exports} exports @param {Contract} contract @returns {string} the table of exports, in Markdown */
function table(exports, { inputs, answers }) {
  const rows = Object.entries(exports).map(([name, { input, answer, declared, refuses }]) => {
    const traits = [
      ...(declared.holds_secrets ? ['holds secrets'] : []),
      ...(declared.changes_vault ? ['changes the vault'] : []),
      ...(declared.keyless ? ['keyless'] : []),
      ...(declared.for_all_devices.length > 0 ? ['for all devices'] : []),
      ...declared.strangers.map((field) => `\`${field}\` from strangers`),
    ]
    // Refusals that every call can give are listed once.
    const groups = refuses.slice(1).map(groupName)
    return `| \`${name}\` | ${fieldsOf(input, inputs)} | ${fieldsOf(answer, answers)} | ${traits.join(', ') || '–'} | ${groups.join(', ') || '–'} |`
  })
  return ['| export | input | answer | declared | refuses |', '|---|---|---|---|---|', ...rows].join('\n')
}

const groupName = (/** @type {string} */ name) => name.toLowerCase().replaceAll('_', ' ')

/** @param {Group[]} refusals @returns {string} the table of refusals, in Markdown */
function refusalTable(refusals) {
  const rows = refusals.map(
    ({ name, about, names }) =>
      `| ${groupName(name)} | ${about} | ${names.map((one) => `\`${one}\``).join(', ')} |`,
  )
  return ['| refused | when | names |', '|---|---|---|', ...rows].join('\n')
}

const BEGIN = '<!-- Written by `npm run contract`. -->\n'
const END = '\n<!-- Until here. -->'

/** The page with the tables inserted. @param {string} page @param {string[]} tables */
function withTables(page, tables) {
  const [before = '', ...parts] = page.split(BEGIN)
  if (parts.length !== tables.length) throw new Error('docs/enclave.md has not a place for each table.')
  const filled = parts.map((part, at) => {
    const end = part.indexOf(END)
    if (end < 0) throw new Error('A table in docs/enclave.md has no end.')
    return BEGIN + tables[at] + part.slice(end)
  })
  return before + filled.join('')
}

/** @param {string} text */
function formatted(text) {
  const { status, stdout } = spawnSync('npx', ['biome', 'format', '--stdin-file-path', FILE], {
    cwd: root,
    encoding: 'utf8',
    input: text,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('The contract could not be formatted.')
  return stdout
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const contract = readContract()
const page = readFileSync(PAGE, 'utf8')
const written = new Map([
  [FILE, formatted(source(contract))],
  [
    PAGE,
    withTables(page, [
      table(contract.exports, contract),
      refusalTable(contract.refusals),
      table(contract.device_exports, contract),
      refusalTable(contract.device_refusals),
    ]),
  ],
])
for (const [path, text] of written) {
  if (!values.check) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${relative(root, path)} is not what the Rust types say. Run: npm run contract`)
    process.exitCode = 1
  }
}
if (values.check && !process.exitCode)
  console.log('The contract in TypeScript and in the documents is the one in Rust.')
