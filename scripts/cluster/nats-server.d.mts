export function natsServer(): string | undefined
