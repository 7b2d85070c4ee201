import { runProcess } from "@canvass/telemetry";
import { readTokenConfig } from "./config.ts";
import { startTokenService } from "./service.ts";

await runProcess("token", async (log) => startTokenService(readTokenConfig(process.env), { log }));
