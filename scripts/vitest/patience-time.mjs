/**
 * How long a test waits for a condition, in milliseconds: longer than anything takes on a busy machine, and shorter than a test's own limit,
 * so that the error says what was waited for.
 */
export const PATIENCE = 20_000
