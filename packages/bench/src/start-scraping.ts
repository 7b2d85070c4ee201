import { setTimeout as delay } from "node:timers/promises";

/** As many reads as by four scrapers with an interval of 15 seconds. */
const everyMs = 15_000 / 4;

/** Reads metrics until it is disposed, as Prometheus does. Skips undefined URLs: those processes have no metrics. */
export function startScraping(opsUrls: readonly (string | undefined)[]): AsyncDisposable {
  const ended = new AbortController();
  const scraping = (async () => {
    while (!ended.signal.aborted) {
      await Promise.all(opsUrls.map(readMetrics));
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await scraping;
    },
  };
}

async function readMetrics(opsUrl: string | undefined): Promise<void> {
  if (opsUrl === undefined) return;
  const answer = await fetch(`${opsUrl}/metrics`);
  if (!answer.ok || !(await answer.text()).includes("canvass_build_info")) throw new Error(`no metrics at ${opsUrl}`);
}
