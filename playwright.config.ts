import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { ADDRESS_BAR, installedBrowser } from './scripts/browser.mjs'

const port = Number(process.env.KEYHOLE_TEST_PORT ?? 4273)
// If none is found, Playwright looks for its own.
const chromium = installedBrowser()

// Repeats what Playwright turns off (chromiumSwitches.ts), because Chromium only uses the last of two such arguments.
const BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export default defineConfig({
  testDir: 'apps/web/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // Tests wait for pages as long as they compute. Three take a fifth less time than two on two cores; four take as long as two.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}`,
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // Installing it downloads the whole client again, so only tests about it have one.
    serviceWorkers: 'block',
    // The processor draws the hole here. If it moved, it would take most of two cores away from the tests.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${[...BY_PLAYWRIGHT, ...ADDRESS_BAR].join(',')}`,
      ],
    },
  },
  projects: [
    { name: 'client', testIgnore: ['**/lasting/**', '**/payments/**'] },
    // Payment handlers need a profile that stays, and their windows aren't pages, so these tests start their own browsers.
    { name: 'payments', testMatch: '**/payments/*.spec.ts' },
    // What must survive anything: damaged files, a killed browser, a full disk, many tabs.
    { name: 'lasting', testMatch: '**/lasting/**/*.spec.ts' },
  ],
  // The production build with the production headers.
  webServer: {
    command: 'node apps/web/src/server/main.js',
    url: `http://localhost:${port}/`,
    // As behind a proxy, so that tests can be told apart.
    env: {
      PORT: String(port),
      KEYHOLE_PROXY: '1',
      KEYHOLE_RELAY: join(tmpdir(), `keyhole-relay-${port}`),
    },
    reuseExistingServer: false,
  },
})
