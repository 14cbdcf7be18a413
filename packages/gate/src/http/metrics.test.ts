import { request } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { open, owner, VAULT } from '../test/parts.ts'
import { recordingApi } from '../test/recording-api.ts'
import { signedCall } from '../test/signed.ts'
import { gateEndpoint, metricsEndpoint } from './endpoint.ts'
import { listen, listenForMetrics } from './listen.ts'

/** Whether the store of counts can be reached. */
let isThere = async () => true
vi.mock('../counts/open-counts.ts', async (original) => {
  const real = await original<typeof import('../counts/open-counts.ts')>()
  return {
    ...real,
    openCounts: async (...where: Parameters<typeof real.openCounts>) => ({
      ...(await real.openCounts(...where)),
      isThere: () => isThere(),
    }),
  }
})

async function served() {
  const api = await recordingApi()
  const services = { api: { url: api.url, private: true, budgets: [{ per: 'month', calls: 1 }] } }
  const { gate } = await open({}, undefined, { services })
  const place = { port: 0 }
  const [calls, figures] = [
    await listen({ gate, vault: VAULT, owners: [owner.did], ...place }),
    await listenForMetrics(gate, place),
  ]
  onTestFinished(async () => {
    await calls.close()
    await figures.close()
  })
  const call = async (path: string) => {
    const authorization = `Bearer ${signedCall(gate.did, '/http/get', { service: 'api', path })}`
    return await fetch(`${calls.url}/http/api`, { method: 'POST', headers: { authorization } })
  }
  return { calls, figures, call }
}

it('counts calls by outcome, and how long they took', async () => {
  const { figures, call } = await served()
  const read = async () => await (await fetch(`${figures.url}/metrics`)).text()
  expect(await read()).toContain('keyhole_gate_call_seconds_count{server="api"} 0')
  expect((await call('/x')).status).toBe(200)
  const over = await call('/x')
  expect(over.status).toBe(429)
  expect((await call('/a/../x')).status).toBe(400)
  const response = await fetch(`${figures.url}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  for (const line of [
    'keyhole_gate_calls_total{server="api",outcome="ok"} 1',
    'keyhole_gate_calls_total{server="api",outcome="OverBudget"} 1',
    'keyhole_gate_calls_total{server="api",outcome="UnclearPath"} 1',
    'keyhole_gate_calls_running{server="api"} 0',
    'keyhole_gate_call_seconds_bucket{server="api",le="+Inf"} 3',
    'keyhole_gate_ready 1',
  ])
    expect(text.split('\n')).toContain(line)
  // Every line is one of the format.
  const sample = /^[a-z_]+(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? [\d.e+-]+$/
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(line.startsWith('#') ? /^# (?:HELP|TYPE) / : sample)
  expect(text.endsWith('\n')).toBe(true)
})

it('is for the operator: callers and pages get no figures', async () => {
  const { calls, figures } = await served()
  expect((await fetch(`${calls.url}/metrics`)).status).toBe(404)
  for (const { url } of [calls, figures]) {
    const health = await fetch(`${url}/healthz`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
  }
  const headers = { origin: 'https://evil.example' }
  expect((await fetch(`${figures.url}/metrics`, { headers })).status).toBe(403)
  expect((await fetch(`${figures.url}/gate`)).status).toBe(404)
  const status = await new Promise((resolve) => {
    request(`${figures.url}/metrics`, { headers: { host: 'rebound.example' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).end()
  })
  expect(status).toBe(403)
})

it('is not ready while it can not know what was revoked', async () => {
  const { gate } = await open({}, undefined, { relay: 'http://127.0.0.1:9/relay' })
  const figures = await listenForMetrics(gate, { port: 0 })
  onTestFinished(() => figures.close())
  expect((await fetch(`${figures.url}/healthz`)).status).toBe(503)
  expect(await (await fetch(`${figures.url}/metrics`)).text()).toContain('keyhole_gate_ready 0')
})

it('asks its store once for all who ask at a time whether it is ready', async () => {
  const { gate } = await open({})
  const endpoints = [gateEndpoint(gate, VAULT, [owner.did]), metricsEndpoint(gate)]
  const answers: ((answer: boolean) => void)[] = []
  isThere = () => new Promise((resolve) => answers.push(resolve))
  onTestFinished(() => {
    isThere = async () => true
  })
  for (const [round, isWell] of [true, false].entries()) {
    const asked = Array.from({ length: 50 }, () =>
      endpoints.map((endpoint) => endpoint(new Request('http://127.0.0.1/healthz'))),
    ).flat()
    await expect.poll(() => answers.length).toBe(round + 1)
    answers[round]?.(isWell)
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([isWell ? 200 : 503]))
  }
  expect(answers).toHaveLength(2)
})
