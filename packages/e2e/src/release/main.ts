// `pnpm keep-released [commit]`: keeps a commit's contracts (default: HEAD) as those of the last release.
import { RELEASED, writeContracts } from "./released-contracts.ts";

const [, , commit = "HEAD"] = process.argv;
await writeContracts(commit, RELEASED);
