import type { Locator, Page } from '@playwright/test'
import { approve } from '../../presses.js'
import { chooseFile } from './person.ts'

/** 40 words a minute, of five letters, each with its space. */
const SECONDS_A_LETTER = 60 / (40 * 6)

/**
 * A person whose presses and typing are counted. A press is a click, a paste or a key that does something; a secret is a passphrase or a
 * code typed by hand. Waiting and looking cost nothing.
 */
export class Hands {
  presses = 0
  secrets = 0
  #before = 0
  #letters = 0
  readonly #start = Date.now()

  async click(target: Locator): Promise<void> {
    this.presses += 1
    await target.click()
  }

  async press(page: Page, key: string): Promise<void> {
    this.presses += 1
    await page.keyboard.press(key)
  }

  /** Presses a button that only counts presses after a moment, and the switch before it, if there is one. */
  async approve(button: Locator): Promise<void> {
    this.presses += await approve(button)
  }

  async typeSecret(field: Locator, text: string): Promise<void> {
    this.secrets += 1
    this.#letters += text.length
    await field.fill(text)
  }

  /** Counts the next task from here. */
  startOver(): void {
    this.#before += this.presses
    this.presses = 0
  }

  /** Of all tasks. */
  get allPresses(): number {
    return this.#before + this.presses
  }

  /** What is in the clipboard already. */
  async paste(field: Locator, text: string): Promise<void> {
    this.presses += 1
    await field.fill(text)
  }

  async choose(scope: Locator, file: { name: string; text: string }): Promise<void> {
    this.presses += 1
    await chooseFile(scope, file)
  }

  /** Of the machine, and of typing. */
  seconds(): number {
    return (Date.now() - this.#start) / 1000 + this.#letters * SECONDS_A_LETTER
  }
}
