import { runProcess } from "@canvass/telemetry";
import { webhookSettings } from "./config.ts";
import { startWebhookService } from "./service.ts";

await runProcess("webhook", webhookSettings, startWebhookService);
