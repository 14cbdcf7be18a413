// npm test: every test that needs no Rust. Builds first, so that the tests run against what is served.
// With KEYHOLE_RESULTS it also writes its counts to that file, for `verify --after`.
import { writeFileSync } from 'node:fs'
import { browserTests, check, summarise, unitTests } from './suites.mjs'

const results = [await check('build', 'npm', ['run', 'build'])]
if (results.every(({ failed }) => failed === 0)) {
  results.push(await unitTests())
  results.push(await browserTests())
}
if (process.env.KEYHOLE_RESULTS) writeFileSync(process.env.KEYHOLE_RESULTS, JSON.stringify(results))
summarise(results)
