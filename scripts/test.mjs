// npm test: every test that needs no Rust. Builds first, so that what is tested is what is served.
import { browserTests, check, summarise, unitTests } from './suites.mjs'

const results = [await check('build', 'npm', ['run', 'build'])]
if (results.every(({ failed }) => failed === 0)) {
  results.push(await unitTests())
  results.push(await browserTests())
}
summarise(results)
