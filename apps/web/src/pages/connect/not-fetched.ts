/**
 * Says that the page could not be fetched, in the words that the build left in it: the scripts that would say so are not there. The app is
 * not answered, and asks the page anew when it is loaded again.
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
