import autocannon, { type Options, type Result } from "autocannon";
import type { Load } from "../load.ts";

// The load generator runs in its own process, so that its event loop does not slow the bench or a server.
process.once("message", (load: Load) => void generate(load));

async function generate({ url, headers, requests, connections }: Load): Promise<void> {
  const basePath = new URL(url).pathname.replace(/\/$/, "");
  const started = performance.now();
  let last = started;
  let next = 0;
  const { promise: finished, resolve, reject } = Promise.withResolvers<Result>();
  const options: Options = {
    url: new URL(url).origin,
    connections,
    amount: requests.length,
    timeout: 30,
    requests: [
      {
        setupRequest: (request) => {
          const { method, path, body } = requests[next % requests.length]!;
          next += 1;
          const json = body === undefined ? {} : { "content-type": "application/json" };
          return { ...request, method, path: basePath + path, body, headers: { ...headers, ...json } };
        },
      },
    ],
  };
  const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  // autocannon rounds the end of the run to a full second, so record the last response.
  running.on("response", () => {
    last = performance.now();
  });
  const result = await finished;
  process.send!({
    perSecond: (requests.length / (last - started)) * 1000,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: requests.length - result["2xx"],
    total: requests.length,
  });
  process.disconnect?.();
}
