import { runProcess } from "@canvass/telemetry";
import { readResponseConfig } from "./config.ts";
import { startResponseService } from "./service.ts";

await runProcess("response", (log) => startResponseService(readResponseConfig(process.env), { log }));
