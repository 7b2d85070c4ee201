import { expect, test } from "vitest";
import type { ServiceName } from "../src/token-service/find-service.ts";
import { openSession } from "../src/token-service/open-session.ts";

test("an export that fails names its own service, not the one that was connected last", async () => {
  const given = { survey: "http://127.0.0.1:9", delivery: "http://127.0.0.1:10" };
  const env = { CANVASS_OPERATOR_KEY: Buffer.alloc(32).toString("base64") };
  await using session = openSession(given, env, () => undefined);
  const connect = async (service: ServiceName) =>
    (await session.connectTransfers(service)).exportWorkspace({ workspaceId: "workspace0000001" });
  const parts = await connect("survey");
  await connect("delivery");
  const refused = session.explaining(() => Array.fromAsync(parts));
  await expect(refused).rejects.toThrow("The survey service at http://127.0.0.1:9 cannot be reached.");
});
