// Asks for the payment in the text field, given as JSON: `methods` and `details` of a PaymentRequest.

/** @param {string} id */
const output = (id) => document.querySelector(`output#${id}`) ?? document.body
const field = document.querySelector('textarea') ?? document.createElement('textarea')
const method = document.querySelector('meta[name="payment-method"]')?.getAttribute('content') ?? ''
/** @type {PaymentRequest | undefined} */
let request

field.value = JSON.stringify({
  details: { total: { label: 'Tea', amount: { value: '25.00', currency: 'GBP' } } },
})

/** @param {HTMLElement | Element} place @param {unknown} value */
const show = (place, value) => {
  place.textContent = JSON.stringify(value)
}

/** @param {string} order @param {PaymentResponse} answer */
async function collect(order, { methodName, details }) {
  const answer = { methodName, details }
  const response = await fetch('/collect', { method: 'POST', body: JSON.stringify({ order, answer }) })
  return await response.json()
}

async function pay() {
  output('answer').textContent = ''
  output('verdict').textContent = ''
  try {
    // The method's URL is enough.
    const { methods = [{ supportedMethods: method }], details } = JSON.parse(field.value)
    request = new PaymentRequest(methods, details)
    const answer = await request.show()
    // When the answer arrived, for benchmarks.
    document.body.dataset.answeredAt = String(Date.now())
    show(output('answer'), { methodName: answer.methodName, details: answer.details })
    const verdict = await collect(methods[0].data?.order ?? request.id, answer)
    show(output('verdict'), verdict)
    // "fail" would keep the browser's payment window open to show an error.
    await answer.complete('paid' in verdict ? 'success' : 'unknown')
  } catch (error) {
    show(output('answer'), { error: Reflect.get(Object(error), 'name') })
  }
}

document.querySelector('#pay')?.addEventListener('click', pay)
document.querySelector('#abort')?.addEventListener('click', async () => {
  try {
    await request?.abort()
    show(output('verdict'), { abort: 'taken back' })
  } catch (error) {
    show(output('verdict'), { abort: Reflect.get(Object(error), 'name') })
  }
})
