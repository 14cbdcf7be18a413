import type { EnclaveExport } from '@keyhole/enclave'
import { functionNamed } from './index.ts'

/** A value as JavaScript: JSON with keys unquoted where possible, and integers beyond 2^53 as bigint. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'bigint') return `${value}n`
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner))
    const flat = `[${items.join(', ')}]`
    if (!flat.includes('\n') && (flat.length <= 72 || value.every((item) => typeof item === 'number')))
      return flat
    return `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([key, item]) => `${/^[a-z_]\w*$/i.test(key) ? key : quote(key)}: ${literal(item, inner)}`,
    )
    const flat = `{ ${fields.join(', ')} }`
    if (fields.length === 0) return '{}'
    if (!flat.includes('\n') && flat.length <= 60) return flat
    return `{\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}}`
  }
  return typeof value === 'string' ? quote(value) : (JSON.stringify(value) ?? 'undefined')
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const NEEDS_NOTHING: ReadonlySet<string> = new Set([
  'create_vault',
  'open_vault',
  'unlock_vault',
  'close_vault',
])

/**
 * A program that makes the call with `@keyhole/enclave` alone. If it needs a vault, it starts with the sealed state from the program's
 * storage and the passphrase it has asked for.
 */
export function snippet(name: EnclaveExport, input: unknown): string {
  const keyless = functionNamed(name).keyless === true
  const opening =
    keyless || NEEDS_NOTHING.has(name)
      ? []
      : [
          '// sealed: what create_vault or the latest change answered as `enclave`, from your storage',
          "await enclave.call('open_vault', { enclave: sealed })",
          "await enclave.call('unlock_vault', { proof: { passphrase } })",
        ]
  return [
    "import { createEnclave, isRefusal } from '@keyhole/enclave'",
    '',
    `const enclave = await createEnclave(${keyless ? '{ keyless: true }' : ''})`,
    ...opening,
    `const answer = await enclave.call('${name}', ${literal(input)})`,
    'if (isRefusal(answer)) throw new Error(answer.error)',
    'console.log(answer)',
    'await enclave.close()',
    '',
  ].join('\n')
}
