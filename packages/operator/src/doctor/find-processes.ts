import { splitList, UnreachableError, urlViolation } from "@canvass/command-line";
import { readLocalFile, systemFiles } from "../local-file.ts";
import type { OpsAddress } from "./ask-process.ts";

/** Returns the given `name=url` pairs, or those of the running system. Throws if no system runs. */
export async function findProcesses(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpsAddress[]> {
  if (given !== undefined) return parseOps(given);
  const path = systemFiles(env["CANVASS_DATA_DIR"] || ".canvass").local;
  const local = await readLocalFile(path);
  if (!local) {
    throw new UnreachableError(`No system runs here (${path} is missing); name the processes with --ops name=url,….`);
  }
  const { PROCESSES } = await import("@canvass/processes");
  // A process that does not run has no entry.
  return PROCESSES.map(({ name }) => {
    return { name, url: local.processes.find((running) => running.name === name)?.opsUrl };
  });
}

function parseOps(given: string): OpsAddress[] {
  return splitList(given).map((pair) => {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(pair)!;
    return { name: name!, url: url!.replace(/\/+$/, "") };
  });
}

/** Returns the end of the sentence `--ops is "x", but it ...`; undefined for a valid value. */
export function opsViolation(text: string): string | undefined {
  const pairs = splitList(text);
  const wrong = pairs.filter((pair) => {
    const [, url] = /^[^=]+=(.+)$/.exec(pair) ?? [];
    return url === undefined || urlViolation(url) !== undefined;
  });
  if (pairs.length > 0 && wrong.length === 0) return undefined;
  return "is a list such as gateway=http://127.0.0.1:9090,survey=http://127.0.0.1:9091";
}
