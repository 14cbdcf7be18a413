/** An app would load this from the registry. Here the server serves its built files. */
const LIBRARY = '/connect/index.js'
const { requestCapability, requestPayment } = await import(LIBRARY)

const vault = '{{vault}}'
const audience = '{{audience}}'

/** What the app asks for. The address can override these defaults. */
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
// The listeners are ready. An earlier click would have been lost.
document.querySelector('#connect')?.removeAttribute('disabled')

export {}
