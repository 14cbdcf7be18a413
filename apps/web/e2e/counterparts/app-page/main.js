/** As an app would have it from the registry; here the server gives its built files. */
const LIBRARY = '/connect/index.js'
const { requestCapability, requestPayment } = await import(LIBRARY)

const vault = '{{vault}}'
const audience = '{{audience}}'

/** What it asks for: what the address says, over what it asks for by itself. */
const wishes = {
  command: '/notes/read',
  policy: [['==', '.folder', 'recipes']],
  expiresIn: 86_400,
  reason: 'To show your recipes',
  ...JSON.parse(decodeURIComponent(location.hash.slice(1) || '{}')),
}

/** @param {string} text */
function show(text) {
  const output = document.querySelector('#answer')
  if (output) output.textContent = text
}

document.querySelector('#connect')?.addEventListener('click', async () => {
  show('asking')
  try {
    const { invocation } = wishes
    show(
      await (invocation
        ? requestPayment({ vault, invocation })
        : requestCapability({ vault, audience, ...wishes })),
    )
  } catch (/** @type {any} */ error) {
    show(error.code ?? String(error))
  }
})
// What listens is there: a click before that would go nowhere.
document.querySelector('#connect')?.removeAttribute('disabled')

export {}
