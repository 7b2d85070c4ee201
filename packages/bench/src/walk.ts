import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadResult } from "./load.ts";

/** Respondents who all start at once. Each saves page by page, waiting for each response. */
export interface Walk {
  /** Prefix of the paths, without a trailing slash. */
  url: string;
  headers: Record<string, string>;
  /** Path that starts a respondent. */
  start: string;
  /** Bodies of the page saves, in order. */
  saves: object[];
  respondents: number;
  connections: number;
  /** True: uses a link's code and session, as the page does. False: uses the API token. */
  isLink: boolean;
}

const walker = fileURLToPath(new URL("children/walk-survey.ts", import.meta.url));

/** Walks in a separate process. Rejects unless all responses are 2xx. */
export async function runWalk(walk: Walk): Promise<LoadResult> {
  const child = spawn(process.execPath, [walker], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(walk);
  const exited = once(child, "exit") as Promise<[number]>;
  const received = once(child, "message") as Promise<[LoadResult]>;
  const [result] = await Promise.race([received, exited.then(failed)]);
  await exited;
  return result;
}

function failed([code]: [number]): never {
  throw new Error(`a walk ended with ${code} before it told its figures`);
}
