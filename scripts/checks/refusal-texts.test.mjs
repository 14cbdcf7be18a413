import { expect, it } from 'vitest'
import { comparedInRust, comparedTexts } from './refusal-texts.mjs'

it.each([
  ["if (error.message === 'No vault') retry()"],
  ["const isLost = error instanceof Error && error.message.includes('lost')"],
  ["if ('lost' == error?.message) retry()"],
  ["if ((error as Error).message.toLowerCase().startsWith('no')) retry()"],
  ["if (error['message'] !== text) retry()"],
  ['if (/locked/.test(error.message)) retry()'],
  ['if (LOCKED.exec(String(error))) retry()'],
  ['if (error.toString().match(LOCKED)) retry()'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
  ["if (`${error}`.indexOf('locked') > 0) retry()"],
  ['const words = WORDS[error.message]'],
  ['const words = WORDS.get(reasonOf(error))'],
  ["switch (error.message) { case 'No vault': retry() }"],
  ["if (failed.details?.reason === 'unreachable') retry()"],
  ["const { message } = error\nif (message === 'No vault') retry()", 2],
  ["const text = reasonOf(error) || ''\nif (text.endsWith('vault.')) retry()", 2],
  ['try { go() } catch ({ message }) {\n if (KNOWN.has(message)) retry() }', 2],
  ["if (answer.error === 'No vault is open.') retry()"],
  ["if (answer.error.startsWith('No vault')) retry()"],
])('finds a program that compares an error by its text: %s', (program, line = 1) => {
  expect(comparedTexts('program.ts', program)).toEqual([line])
})

it.each([
  ["if (error.code === 'VAULT_LOCKED') retry()"],
  ["if (error.details?.name === 'BackupDamaged') retry()"],
  ["if (error.args.why === 'Unattended') retry()"],
  ["if (error.reason === 'Unattended') retry()"],
  ['throw new VaultError(error.code, error.message)'],
  ["show(error.message ?? 'no answer')"],
  ["if (error.message === '' || error.message === undefined) show('no words')"],
  ["if (typeof answer.error === 'string') show(answer.error)"],
  ["if (message.type === 'refused') show(message)"],
  ["window.onmessage = ({ data }) => { const { message } = data\nif (message === 'hello') answer() }"],
])('accepts a program that compares something else: %s', (program) => {
  expect(comparedTexts('program.ts', program)).toEqual([])
})

it('accepts a test that looks for its own error, but no program', () => {
  const text = "const wrong = new Error('wrong')\nconst isWrong = (error) => error.message === 'wrong'"
  expect(comparedTexts('a.test.ts', text)).toEqual([])
  expect(comparedTexts('a.ts', text)).toEqual([2])
})

it.each([
  ['if error.message == "no vault" {'],
  ['if error.to_string().contains("no vault") {'],
  ['match error.message.as_str() {'],
  ['if refusal["error"].as_str().unwrap().contains("no vault") {'],
])('finds it in Rust: %s', (program) => {
  expect(comparedInRust(`fn main() {\n    ${program}\n`)).toEqual([2])
})

it.each([
  ['if error.name == TokenErrorName::Expired {'],
  ['let text = error.to_string();'],
  ['// if error.message == "no vault" {'],
  ['#[cfg(test)]\nmod tests {\n    assert!(error.message == "no vault");'],
])('accepts Rust that compares something else: %s', (program) => {
  expect(comparedInRust(`fn main() {}\n${program}\n`)).toEqual([])
})
