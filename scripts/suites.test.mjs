import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  counted,
  failuresOfCargo,
  failuresOfPlaywright,
  failuresOfVitest,
  notDrawnOfPlaywright,
  root,
} from './suites.mjs'
import UnhandledErrors from './vitest/unhandled-errors.mjs'

const folder = mkdtempSync(join(tmpdir(), 'keyhole-suites-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what the end of a run says', () => {
  it('names failed unit tests, with the start of their error', () => {
    const testResults = [
      {
        name: join(root, 'packages/vault/src/a.test.ts'),
        assertionResults: [
          { status: 'passed', fullName: 'adds', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'subtracts',
            failureMessages: ['Error: 3 is not 2\n    at a.test.ts:9'],
          },
        ],
      },
      { name: join(root, 'b.test.ts'), message: 'SyntaxError: no such export', assertionResults: [] },
    ]
    expect(failuresOfVitest({ testResults })).toEqual([
      'packages/vault/src/a.test.ts › subtracts\n    Error: 3 is not 2\n        at a.test.ts:9',
      'b.test.ts › the file itself\n    SyntaxError: no such export',
    ])
  })

  it('names errors that no test waited for, which the report of Vitest leaves out', () => {
    const unhandled = join(folder, 'unhandled.json')
    process.env.KEYHOLE_UNHANDLED = unhandled
    new UnhandledErrors().onTestRunEnd(
      [],
      [
        {
          message: 'gone',
          stack: 'Error: gone\n    at c.ts:1',
          VITEST_TEST_PATH: join(root, 'c.test.ts'),
          VITEST_TEST_NAME: 'locks',
        },
        { message: 'the worker ended', type: 'Unhandled Error', cause: { stack: 'Error: a signal' } },
      ],
    )
    const failures = failuresOfVitest({}, JSON.parse(readFileSync(unhandled, 'utf8')))
    expect(failures).toEqual([
      'c.test.ts › locks\n    Error: gone\n        at c.ts:1',
      ' › Unhandled Error\n    the worker ended\n    because of Error: a signal',
    ])
    // Every test passed, and the run failed all the same.
    expect(counted('unit tests', { code: 1, output: '' }, 7054, 0, failures)).toMatchObject({
      failed: 2,
      failures,
    })
  })

  it('says where a browser test waited when its time was over', () => {
    const specs = [
      {
        ok: false,
        file: 'tasks/a.spec.ts',
        line: 38,
        title: 'a task',
        tests: [
          {
            results: [
              {
                errors: [
                  { message: '\u001b[31mTest timeout of 180000ms exceeded.\u001b[39m' },
                  {
                    message: 'Error: locator.click: Test ended.\nCall log:\n  - waiting for a button',
                    location: { file: join(root, 'apps/web/e2e/tasks/a.spec.ts'), line: 51 },
                  },
                ],
              },
            ],
          },
        ],
      },
    ]
    const errors = [{ message: 'Error: the server did not start' }]
    expect(failuresOfPlaywright({ suites: [{ specs }], errors })).toEqual([
      [
        'tasks/a.spec.ts:38 › a task',
        '    Test timeout of 180000ms exceeded.',
        '    Error: locator.click: Test ended.',
        '    Call log:',
        '      - waiting for a button',
        '    at apps/web/e2e/tasks/a.spec.ts:51',
      ].join('\n'),
      'playwright › outside any test\n    Error: the server did not start',
    ])
  })

  it('counts a test that passed at the second attempt as failed, unless its browser had stopped drawing', () => {
    const attempts = (annotations) => ({
      status: 'flaky',
      results: [
        { status: 'timedOut', annotations, errors: [{ message: 'Test timeout of 180000ms exceeded.' }] },
        { status: 'passed', annotations: [] },
      ],
    })
    const spec = (title, annotations) => ({
      ok: true,
      file: 'tasks/a.spec.ts',
      line: 1,
      title,
      tests: [attempts(annotations)],
    })
    const told = {
      suites: [
        {
          specs: [
            spec('not drawn', [{ type: 'browser stopped drawing' }]),
            spec('stuck', [{ type: 'page did not answer' }]),
            spec('flaky', []),
          ],
        },
      ],
    }
    expect(notDrawnOfPlaywright(told)).toEqual(['tasks/a.spec.ts › not drawn'])
    expect(failuresOfPlaywright(told).map((failure) => failure.split('\n')[0])).toEqual([
      'tasks/a.spec.ts:1 › stuck',
      'tasks/a.spec.ts:1 › flaky',
    ])
  })

  it('names failed Rust tests', () => {
    const output = [
      'running 2 tests',
      '.F',
      'failures:',
      '',
      '---- seal::opens stdout ----',
      "thread 'seal::opens' panicked at crates/vault/src/seal.rs:9:5:",
      'assertion failed: opens',
      '',
      '',
      'failures:',
      '    seal::opens',
      '',
      'test result: FAILED. 1 passed; 1 failed; 0 ignored',
    ].join('\n')
    expect(failuresOfCargo(output)).toEqual([
      "cargo test › seal::opens\n    thread 'seal::opens' panicked at crates/vault/src/seal.rs:9:5:\n    assertion failed: opens",
    ])
  })

  it('shows the end of the output of a run that names no failure', () => {
    const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
    const { failed, failures } = counted('unit tests', { code: 137, output: lines.join('\n') }, 12, 0)
    expect(failed).toBe(1)
    expect(failures?.[0]).toMatch(/^unit tests › exit code 137\n {4}line 10\n/)
    expect(failures?.[0]).toMatch(/line 29$/)
  })

  it('takes a run of no tests for a failed one, and a clean one for what it is', () => {
    expect(counted('unit tests', { code: 0, output: '' }, 0, 0).failed).toBe(1)
    expect(counted('unit tests', { code: 0, output: '' }, 3, 0)).toMatchObject({ passed: 3, failed: 0 })
  })
})
