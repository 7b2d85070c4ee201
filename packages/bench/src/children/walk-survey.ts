import { Agent, request } from "undici";
import type { Walk } from "../walk.ts";

// Runs in its own process, so that its event loop does not slow the bench or a server.
process.once("message", (walk: Walk) => void walkAll(walk));

async function walkAll({ url, headers, start, saves, respondents, connections, isLink }: Walk): Promise<void> {
  const dispatcher = new Agent({ connections, headersTimeout: 120_000 });
  const latencies: number[] = [];

  async function post(path: string, body: object, more: Record<string, string> = {}): Promise<Record<string, string>> {
    const sent = performance.now();
    const answer = await request(`${url}${path}`, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...more },
      body: JSON.stringify(body),
    });
    const { data } = (await answer.body.json()) as { data: Record<string, string> };
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
    latencies.push(performance.now() - sent);
    return data;
  }

  async function walkOne(): Promise<void> {
    const { respondentId, sessionToken = "" } = await post(start, {});
    const path = isLink ? `${start}/${respondentId}/answers` : start.replace(/\/respondents$/, "");
    const session = isLink ? { "x-respondent-token": sessionToken } : {};
    for (const save of saves)
      await post(path, isLink ? save : { ...save, respondentId }, session as Record<string, string>);
  }

  const began = performance.now();
  await Promise.all(Array.from({ length: respondents }, walkOne));
  const seconds = (performance.now() - began) / 1000;
  await dispatcher.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)]!;
  process.send!({ perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) });
  process.disconnect?.();
}
