import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { createMetrics } from "@canvass/telemetry";
import { expect, test } from "vitest";
import { connectTarget } from "../src/index.ts";
import { startTokenServer } from "./token-server.ts";

test("caller and callee measure calls by method and status, and the callee counts items of batches", async () => {
  const metrics = { server: createMetrics("token"), client: createMetrics("gateway") };
  const batchAuthenticate = () => {
    if (answers.shift() === "refuse") throw new AppError("service_unavailable");
    return {};
  };
  const answers = ["answer", "answer", "refuse"];
  await using server = await startTokenServer({ batchAuthenticate }, { metrics: metrics.server });
  using target = connectTarget({
    url: server.url,
    peerKey: "peer",
    metrics: metrics.client,
  });
  const tokens = target.client(TokenService);
  const credentials = [{}, {}, {}];
  await tokens.batchAuthenticate({ credentials });
  await tokens.batchAuthenticate({ credentials });
  await expect(tokens.batchAuthenticate({ credentials })).rejects.toThrow(AppError);
  const method = 'rpc_method="canvass.token.v1.TokenService/BatchAuthenticate"';
  const read = async (side: keyof typeof metrics) =>
    (await metrics[side].metrics()).replaceAll(/service="\w+",/g, "").split("\n");
  for (const side of ["server", "client"] as const) {
    const count = (status: string) =>
      `rpc_${side}_call_duration_seconds_count{${method},rpc_response_status_code="${status}"}`;
    const lines = await read(side);
    expect(lines).toContain(`${count("OK")} 2`);
    expect(lines).toContain(`${count("UNAVAILABLE")} 1`);
  }
  expect(await read("server")).toContain(`canvass_rpc_batch_items_sum{${method}} 9`);
});
