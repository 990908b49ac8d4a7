// Makes the bucket of `store.url` where it is not there. Run inside the image, from /app, where the SDK lies.
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

const { PAGESTREAM_STORE__URL: url, PAGESTREAM_STORE__ENDPOINT: endpoint, PAGESTREAM_STORE__REGION: region } = process.env
const Bucket = new URL(url).hostname
try {
  await new S3Client({ endpoint, region, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket }))
  console.log(`made the bucket ${Bucket}`)
} catch (error) {
  if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(error.name)) throw error
  console.log(`the bucket ${Bucket} is there`)
}
