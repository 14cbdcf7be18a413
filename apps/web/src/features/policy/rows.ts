import { exactJson, readJson } from './json.ts'
import { asStatement, type Comparison } from './statement.ts'

/** One limit as a person fills it in: a field, how it is compared, with what. */
export interface Row {
  id: number
  field: string
  operator: Comparison | 'like'
  value: string
}

/** A field's name as a selector: what is typed without its leading dot gets one. */
export function toSelector(field: string): string {
  const trimmed = field.trim()
  return trimmed === '' || trimmed.startsWith('.') ? trimmed : `.${trimmed}`
}

/** A typed value as JSON: numbers, true, false, null and anything in JSON's own brackets as such, the rest as text. */
export function toValue(text: string, operator: Row['operator']): unknown {
  const trimmed = text.trim()
  if (operator === 'like') return text
  if (/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(trimmed) || /^["[{]/.test(trimmed)) {
    const read = readJson(trimmed)
    if ('value' in read) return read.value
  }
  return text
}

/** A row as a policy statement. */
export function rowStatement(row: Row): [string, string, unknown] {
  return [row.operator, toSelector(row.field), toValue(row.value, row.operator)]
}

/** What is wrong with a row, in words, or undefined. */
export function rowProblem(row: Row): string | undefined {
  if (row.field.trim() === '') return 'Name the field that this limit is about.'
  if (row.value.trim() === '' && row.operator !== 'like') return 'Say what the field is compared with.'
  const read = asStatement(rowStatement(row))
  return 'problem' in read ? read.problem : undefined
}

/** Rows as a policy; every one of them must hold. */
export function rowsToPolicy(rows: readonly Row[]): unknown[] {
  return rows.map(rowStatement)
}

/** A policy as rows, or undefined when it says more than rows can. */
export function policyToRows(policy: readonly unknown[]): Row[] | undefined {
  const rows: Row[] = []
  for (const statement of policy) {
    const read = asStatement(statement)
    if ('problem' in read) return undefined
    if (read.kind === 'compare') {
      const value = valueText(read.value)
      rows.push({ id: rows.length, field: read.selector, operator: read.operator, value })
    } else if (read.kind === 'like') {
      rows.push({ id: rows.length, field: read.selector, operator: 'like', value: read.pattern })
    } else return undefined
  }
  return rows
}

/** The text that `toValue` reads back as the same value. */
function valueText(value: unknown): string {
  if (typeof value !== 'string') return exactJson(value)
  return toValue(value, '==') === value ? value : exactJson(value)
}
