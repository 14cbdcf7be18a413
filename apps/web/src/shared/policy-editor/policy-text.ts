import { t } from '@lingui/core/macro'
import { readJson } from '../policy/json.ts'
import { asStatement, type Problem } from '../policy/statement.ts'

/** A policy text this long is more than a token may contain. */
const LONGEST = 512 * 1024

/** Reads a policy typed as JSON: the statements, or what is wrong and where. */
export function readPolicy(text: string): { policy: unknown[] } | Problem {
  if (text.trim() === '') return { policy: [] }
  if (text.length > LONGEST) return { problem: t`This policy is longer than a token can hold (512 KiB).` }
  const read = readJson(text)
  if ('problem' in read) return read
  if (!Array.isArray(read.value)) return { problem: t`A policy is a list of statements: [ … ].` }
  const policy: unknown[] = read.value
  for (const [index, statement] of policy.entries()) {
    const parsed = asStatement(statement)
    if ('problem' in parsed) {
      const number = index + 1
      return { problem: t`Statement ${number}: ${parsed.problem}` }
    }
  }
  return { policy }
}
