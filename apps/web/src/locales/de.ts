// Every part of the German catalogue, as one file of the build.
const parts = import.meta.glob<{ messages: Record<string, string> }>('./de/*.po', { eager: true })

export const messages: Record<string, string> = Object.assign(
  {},
  ...Object.values(parts).map((part) => part.messages),
)
