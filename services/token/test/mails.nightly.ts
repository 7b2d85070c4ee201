import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startUnresponsiveServer } from "./unresponsive-server.ts";
import { startTokenSystem } from "./token-system.ts";
import { webhookAdded } from "./webhook-added.ts";

test("a mail server that hangs does not hold up the end of the process", async () => {
  await using unresponsive = await startUnresponsiveServer();
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startTokenSystem({ environment: { CANVASS_SMTP_URL: unresponsive.url } }));
  const { workspaceId } = await system.createWorkspace();
  await system.handOver([webhookAdded(workspaceId)], "mails");
  await waitFor(() => unresponsive.connections() > 0, { describe: "a connection" });
  const started = performance.now();
  await stack.disposeAsync();
  expect(performance.now() - started).toBeLessThan(15_000);
});
