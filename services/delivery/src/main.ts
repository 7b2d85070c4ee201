import { runProcess } from "@canvass/telemetry";
import { deliverySettings } from "./config.ts";
import { startDeliveryService } from "./service.ts";

await runProcess("delivery", deliverySettings, startDeliveryService);
