/** Where the router's development tools would be. Renders nothing. */
export function RouterDevtools() {
  return null
}

/** Where the query client's development tools would be. Renders nothing. */
export function QueryDevtools() {
  return null
}
