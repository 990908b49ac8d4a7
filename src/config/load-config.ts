import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PagestreamError } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'
import { type Config, configSchema } from './config.ts'
import { jsonFault } from './json-fault.ts'
import { likelyKey } from './likely-key.ts'

/** A configuration that cannot be used: every problem with its key, together. */
export class ConfigError extends PagestreamError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super('configuration', `reading the configuration: ${problems.join('; ')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Keys may come nested; later layers win. */
export type ConfigLayer = { readonly [key: string]: unknown }

export interface ConfigSources {
  /** JSON file named with --config or PAGESTREAM_CONFIG. */
  readonly file?: string | undefined
  /** `PAGESTREAM_RENDER__DPI=300` sets render.dpi; values are read as JSON where they are JSON, else as text, for a list with commas between. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What the command line or the caller of the library sets. */
  readonly overrides?: ConfigLayer
}

/** Names after the prefix that are not keys of the configuration. */
const reserved = new Set(['CONFIG', 'CACHE', 'RESTARTS'])
const prefix = 'PAGESTREAM_'

/**
 * Reads the configuration once: file, then environment, then overrides. The result is frozen.
 * Throws `ConfigError` with all problems.
 */
export function loadConfig({ file, env = process.env, overrides = {} }: ConfigSources = {}): Config {
  const path = file ?? env[`${prefix}CONFIG`]
  const layers = [path ? readLayer(path) : {}, environmentLayer(env), overrides]
  const parsed = configSchema.safeParse(layers.reduce<ConfigLayer>(merge, {}))
  if (!parsed.success) throw new ConfigError(parsed.error.issues.flatMap((issue) => problemsOf(issue, env)))
  return freeze(parsed.data)
}

/** Each unknown key by itself, with the variable that it came from and a known key that is written nearly so. */
function problemsOf(issue: z.core.$ZodIssue, env: Readonly<Record<string, string | undefined>>): string[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [`${path.join('.') || '(top)'}: ${issue.message}`]
  return issue.keys.map((key) => {
    const full = [...path, key]
    const variable = Object.keys(env).find((name) => name.startsWith(prefix) && keyPathOf(name).join('.') === full.join('.'))
    const meant = likelyKey(full.join('.'), keysOf(configSchema))
    return `${full.join('.')}: there is no such key${variable ? ` (${variable} of the environment)` : ''}${meant ? `; is ${meant} meant?` : ''}`
  })
}

/** All keys of a schema, with those that they lie in: `vlm`, `vlm.engine`, `vlm.engine.kind`. */
function keysOf(schema: z.core.$ZodType, path: readonly string[] = []): string[] {
  const bare = withoutDefault(schema)
  const own = path.length > 0 ? [path.join('.')] : []
  if (!(bare instanceof z.ZodObject)) return own
  return [...own, ...Object.entries(bare.shape).flatMap(([key, child]) => keysOf(child as z.core.$ZodType, [...path, key]))]
}

function readLayer(path: string): ConfigLayer {
  let value: unknown
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
    value = JSON.parse(text)
  } catch (error) {
    throw new ConfigError([`${path}: ${error instanceof SyntaxError ? jsonFault(text) : reasonOf(error)}`])
  }
  if (isLayer(value)) return value
  throw new ConfigError([`${path}: it is not a JSON object`])
}

function environmentLayer(env: Readonly<Record<string, string | undefined>>): ConfigLayer {
  let layer: ConfigLayer = {}
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || value === undefined) continue
    const rest = name.slice(prefix.length)
    if (reserved.has(rest)) continue
    const path = keyPathOf(name)
    layer = merge(layer, nested(path, settingOf(path, value)))
  }
  return layer
}

/** `PAGESTREAM_VLM__ENGINE__API_KEY_FILE` → vlm, engine, apiKeyFile. */
const keyPathOf = (variable: string): string[] =>
  variable
    .slice(prefix.length)
    .split('__')
    .map((part) => part.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

function settingOf(path: readonly string[], text: string): unknown {
  const value = jsonOrText(text)
  return Array.isArray(value) || !takesTexts(configSchema, path) ? value : listOf(typeof value === 'string' ? value : text)
}

/** `a, b` → both; without the empty ones. */
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Whether the key holds a list of texts. */
function takesTexts(schema: z.core.$ZodType, [key, ...rest]: readonly string[]): boolean {
  const bare = withoutDefault(schema)
  if (key === undefined) return bare instanceof z.ZodArray && ['string', 'enum'].includes(bare.element._zod.def.type)
  const child = bare instanceof z.ZodObject && Object.hasOwn(bare.shape, key) ? (bare.shape[key] as z.core.$ZodType | undefined) : undefined
  return child !== undefined && takesTexts(child, rest)
}

const withoutDefault = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? withoutDefault(schema.def.innerType) : schema

function nested(path: readonly string[], value: unknown): ConfigLayer {
  const [key = '', ...rest] = path
  return { [key]: rest.length > 0 ? nested(rest, value) : value }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const isLayer = (value: unknown): value is ConfigLayer => typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(below: ConfigLayer, above: ConfigLayer): ConfigLayer {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue
    const old = merged[key]
    merged[key] = isLayer(old) && isLayer(value) ? merge(old, value) : value
  }
  return merged
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freeze(part)
    Object.freeze(value)
  }
  return value
}
