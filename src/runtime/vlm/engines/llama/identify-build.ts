import { PagestreamError } from '../../../../schema/failure.ts'
import { type KnownBuild, knownBuilds } from './known-builds.ts'

/** What can be told of a build from outside. */
export interface BuildIdentity {
  readonly llamaSha256: string
  readonly mtmdSha256: string
  /** As its `ggml_commit` says; undefined where it has none. */
  readonly commit: string | undefined
}

/**
 * The known build that these libraries are. Build numbers are not looked at: builds from shallow clones all call themselves 1.
 * A commit is a prefix of at least seven digits. Throws `engine-refused` for any other build, with the list of known ones.
 */
export function identifyBuild(identity: BuildIdentity, builds: readonly KnownBuild[] = knownBuilds): KnownBuild {
  const pinned = builds.find(({ sha256 }) => sha256.llama === identity.llamaSha256 && sha256.mtmd === identity.mtmdSha256)
  if (pinned) return pinned
  const { commit } = identity
  const same = commit !== undefined && /^[0-9a-f]{7,40}$/.test(commit) ? builds.find((known) => commit.startsWith(known.commit)) : undefined
  if (same) return same
  const what = commit === undefined ? 'it does not say its commit' : `commit ${commit.slice(0, 40)}`
  throw new PagestreamError(
    'engine-refused',
    `loading llama.cpp: ${what}, which is not a build that is known to work; known are ${builds.map(({ name }) => name).join('; ')}`,
  )
}
