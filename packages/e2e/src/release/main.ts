// `pnpm keep-released [commit]`: keeps the contracts of a commit, by default of the last one, as those of the last release.
import { RELEASED, writeContracts } from "./released-contracts.ts";

const [, , commit = "HEAD"] = process.argv;
await writeContracts(commit, RELEASED);
