import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { ADDRESS_BAR, installedBrowser } from './scripts/browser.mjs'

const port = Number(process.env.KEYHOLE_TEST_PORT ?? 4273)
// Where none is found, Playwright looks for its own.
const chromium = installedBrowser()

// What Playwright itself turns off (chromiumSwitches.ts): of two such arguments Chromium takes the last.
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
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}`,
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // Its installation fetches the whole client once more: only what is about it has one.
    serviceWorkers: 'block',
    // The hole is drawn by the processor here: left to move, it takes most of two cores from what is tested.
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
    // Payment handlers are installed in a profile that stays, and their windows are no pages: browsers of their own.
    { name: 'payments', testMatch: '**/payments/*.spec.ts' },
    // What must outlast anything: damaged files, a killed browser, a full disk, many tabs.
    { name: 'lasting', testMatch: '**/lasting/*.spec.ts' },
  ],
  // The production build under the production headers.
  webServer: {
    command: 'node apps/web/src/server/main.js',
    url: `http://localhost:${port}/`,
    env: { PORT: String(port), KEYHOLE_RELAY: join(tmpdir(), `keyhole-relay-${port}`) },
    reuseExistingServer: false,
  },
})
