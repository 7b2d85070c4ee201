import { runProcess } from "@canvass/telemetry";
import { readWebhookConfig } from "./config.ts";
import { startWebhookService } from "./service.ts";

await runProcess("webhook", async (log) => startWebhookService(readWebhookConfig(process.env), { log }));
