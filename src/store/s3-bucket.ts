import type * as Sdk from '@aws-sdk/client-s3'
import type { Config } from '../config/config.ts'

/** The SDK, one client of it and the bucket that is asked for. */
export interface S3Bucket {
  readonly sdk: typeof Sdk
  readonly client: Sdk.S3Client
  readonly bucket: string
}

/** A request that fails for a reason that may pass is made so often, with growing pauses between. */
const attempts = 4
const connectMs = 5_000
/** Longest silence of a connection. */
const silenceMs = 60_000

/** Loads the SDK: it is large, and only stores in buckets need it. Credentials come from its own chain. */
export async function connectBucket(config: Config['store'], bucket: string): Promise<S3Bucket> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...(config.endpoint !== '' && { endpoint: config.endpoint }),
    ...(config.region !== '' && { region: config.region }),
    forcePathStyle: config.pathStyle,
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  })
  return { sdk, client, bucket }
}
