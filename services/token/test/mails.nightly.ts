import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startSilentServer } from "./silent-server.ts";
import { startTokenSystem } from "./token-system.ts";
import { webhookAdded } from "./webhook-added.ts";

test("a mail server that hangs does not hold up the end of the process", async () => {
  await using silent = await startSilentServer();
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startTokenSystem({ environment: { CANVASS_SMTP_URL: silent.url } }));
  const { workspaceId } = await system.createWorkspace();
  await system.handOver([webhookAdded(workspaceId)], "mails");
  await waitFor(() => silent.connections() > 0, { describe: "a connection" });
  const started = performance.now();
  await stack.disposeAsync();
  expect(performance.now() - started).toBeLessThan(15_000);
});
