import { loadEstimator } from '@keyhole/vault/passphrase-estimate'
import { beforeAll, describe, expect, it } from 'vitest'
import { judge, lengthProblem } from './strength.ts'

type Estimator = Awaited<ReturnType<typeof loadEstimator>>
let estimator: Estimator

beforeAll(async () => {
  estimator = await loadEstimator()
})

describe('judge', () => {
  it.each(['passwordpassword', 'aaaaaaaaaaaaaaaa', 'qwertyuiop1234', '123456789012345'])(
    'rejects %s and says why',
    (weak) => {
      const { enough, reasons } = judge(estimator, weak, [])
      expect(enough).toBe(false)
      expect(reasons.length).toBeGreaterThan(0)
      expect(reasons.join(' ')).not.toContain(weak)
    },
  )

  it('rejects a strong one that is too short', () => {
    expect(judge(estimator, 'x9$Lq!7vB2', []).enough).toBe(false)
  })

  it('accepts words that no list has together', () => {
    expect(judge(estimator, 'violet anvil harbour thirty', []).enough).toBe(true)
  })

  it('knows the words an attacker would try first', () => {
    const known = judge(estimator, 'Ottoline Kvasnička', ['Ottoline Kvasnička'])
    const unknown = judge(estimator, 'Ottoline Kvasnička', [])
    expect(known.score).toBeLessThan(unknown.score)
  })
})

describe('lengthProblem', () => {
  it('counts characters, not UTF-16 units, after normalising', () => {
    expect(lengthProblem('🔑'.repeat(11))).toContain('1 more')
    expect(lengthProblem('🔑'.repeat(12))).toBeUndefined()
    expect(lengthProblem(`${'e\u0301'.repeat(11)}`)).toContain('1 more')
  })
  it('refuses more than 1,024 bytes', () => expect(lengthProblem('é'.repeat(600))).toContain('1024'))
})
