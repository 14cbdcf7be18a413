import { afterEach, expect } from 'vitest'
import { isRefusal } from '../errors.ts'
import { mayRefuse } from '../is-answer.ts'
import { Remote } from '../worker/remote.ts'

// Vitest's set-up: whatever a test is about, each refusal of an enclave that it starts is one that the contract has of that export.
const undeclared: string[] = []
const { callByName } = Remote.prototype

Remote.prototype.callByName = async function (name, ...given) {
  const answer = await callByName.call(this, name, ...given)
  if (isRefusal(answer) && !mayRefuse(name, answer.name)) undeclared.push(`${name}: ${answer.name}`)
  return answer
}

afterEach(() => {
  expect(undeclared.splice(0)).toEqual([])
})
