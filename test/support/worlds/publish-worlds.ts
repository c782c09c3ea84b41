import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { publishWorld } from "./kept-worlds.ts";

/**
 * Makes the worlds that tests share live in the bucket of a state, beside a Worker that runs: `node publish-worlds.ts STATE`. A line
 * with its name tells that a world is live. A process of its own, as the one that starts the tests has to answer them.
 */
const bucket = openLocalBucket(process.argv[2], geodataBucketName());
for (const name of ["world", "demo", "traffic"] as const) {
  await publishWorld(name, bucket);
  console.log(name);
}
bucket.close();
