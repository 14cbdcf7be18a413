// A stranger that sends requests at a steady rate, whatever happens to them: node stranger.mjs <port> <requests a second>. Its parent
// process sends 'on' and 'off', and it then reports how its requests were answered so far.
import { request } from 'node:http'
import { costlyInvocations } from './tokens.mjs'

const [port, rate] = process.argv.slice(2).map(Number)
const tokens = costlyInvocations(Math.floor(Date.now() / 1000) + 3_000)
/** @type {Record<string, number>} */
const answered = {}
let at = 0
let timer

function send() {
  const token = tokens[at++ % tokens.length]
  const headers = { Authorization: `Bearer ${token}` }
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/notes/read',
    method: 'POST',
    headers,
    agent: false,
  })
  sent.on('response', (response) => {
    answered[response.statusCode] = (answered[response.statusCode] ?? 0) + 1
    response.resume()
  })
  sent.on('error', (error) => {
    answered[error.code] = (answered[error.code] ?? 0) + 1
  })
  sent.end()
}

process.on('message', (word) => {
  clearInterval(timer)
  if (word === 'on') timer = setInterval(send, 1_000 / rate)
  else process.send(answered)
})
process.on('disconnect', () => process.exit())
process.send('ready')
