// The rivals, and the other implementations we test with. Some of them need a newer Node than we do.
import { join } from 'node:path'
import { areInstalled, installIn } from '../../scripts/checks/side-packages.mjs'

const FOLDER = join(import.meta.dirname, '..')

/** @returns {boolean} Whether they are installed and match the lockfile. */
export const areRivalsInstalled = () => areInstalled(FOLDER)

/** @returns {boolean} Whether they are installed now. */
export const installRivals = () => installIn(FOLDER)
