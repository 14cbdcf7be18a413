/**
 * Says that the page could not be loaded, with a message that the build put into it: the scripts that could say so are missing. The app
 * gets no answer, and asks again after a reload.
 */
export function showNotFetched(): void {
  const view = document.querySelector<HTMLTemplateElement>('#not-drawn')?.content
  if (!view) return
  for (const button of view.querySelectorAll('button')) {
    button.disabled = false
    button.addEventListener('click', () => location.reload())
  }
  document.querySelector('#page')?.replaceChildren(view)
}
