import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { sandboxSettings } from './sandbox-settings.ts'
import { ConfigError, type Setting } from './setting.ts'
import { settings } from './settings.ts'
import { findSimilar } from './similar-text.ts'

/** The settings of the server and of the sandbox. */
export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(settings),
  ...Object.values(sandboxSettings),
]

const settingNames: readonly string[] = allSettings.map(({ name }) => name)

/**
 * Adds the variables of `.env` in the working directory, if it exists, to `process.env`; variables
 * that are already set are kept. Warns on standard error of variables whose names resemble a setting.
 * Throws a ConfigError for names in the file that are no setting.
 */
export function loadEnvironment(): void {
  const file = readEnvironmentFile()
  const unknown = Object.keys(file).filter((name) => !isKnown(name))
  if (unknown.length > 0) throw new ConfigError(unknown.map((name) => `.env: ${describe(name)}`))
  for (const [name, value] of Object.entries(file)) process.env[name] ??= value
  for (const name of Object.keys(process.env)) {
    if (isNearMiss(name)) console.error(`Warning: ${describe(name)}`)
  }
}

function readEnvironmentFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** The OTEL_* variables are those of the OpenTelemetry packages. */
const isKnown = (name: string): boolean => settingNames.includes(name) || name.startsWith('OTEL_')

const isNearMiss = (name: string): boolean =>
  !settingNames.includes(name) && findSimilar(name, settingNames) !== undefined

function describe(name: string): string {
  const similar = findSimilar(name, settingNames)
  return `${name} is not a setting${similar === undefined ? '; .env.example lists all' : `; did you mean ${similar}?`}`
}
