import { configure } from '@testing-library/react'

// Everything should be there at once, except on a busy machine. Shorter than the test's own limit, so that the error names what is missing.
configure({ asyncUtilTimeout: 20_000 })
