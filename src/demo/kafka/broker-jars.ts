import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../config/package-root.ts'
import { cacheFolder } from '../../config/places.ts'

const exec = promisify(execFile)

/** The version that `scripts/kafka/pom.xml` names. */
const kafkaVersion = '4.3.1'
const fetchMs = 600_000
const oldestJava = 17

/** A folder with the jars of Apache Kafka, fetched by Maven when they are not in the user's cache; else why there is none. */
export async function brokerJars(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const java = await javaVersion()
  if (java < oldestJava) return { missing: java === 0 ? `Java ${oldestJava} or later` : `Java ${oldestJava} or later (found ${java})` }
  const folder = join(cacheFolder(), `kafka-${kafkaVersion}`)
  if (existsSync(folder)) return { folder }
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}-draft-`)
  try {
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`]
    await exec('mvn', ['-B', '-ntp', '-q', '-f', join(packageRoot(), 'scripts/kafka/pom.xml'), ...goal], { timeout: fetchMs })
    await rename(draft, folder)
    return { folder }
  } catch (error) {
    if (existsSync(folder)) return { folder } // another process was faster
    return { missing: `Apache Kafka's jars, which Maven could not fetch (${firstLine(error)})` }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Major version, 0 when there is no Java. It answers on standard error. */
async function javaVersion(): Promise<number> {
  const { stderr } = await exec('java', ['-version']).catch(() => ({ stderr: '' }))
  const [, major = '0'] = /version "(\d+)/.exec(stderr) ?? []
  return Number(major)
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
