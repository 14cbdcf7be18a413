import { configure } from '@testing-library/react'

// What is waited for is there at once, but for a busy machine. Below the end of the test, so that what was waited for is named.
configure({ asyncUtilTimeout: 20_000 })
