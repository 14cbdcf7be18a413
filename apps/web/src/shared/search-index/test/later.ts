/** A promise that a test settles. */
export function later<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((...how) => {
    ;[resolve, reject] = how
  })
  return { promise, resolve, reject }
}
