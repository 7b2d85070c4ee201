export { readDeliveryConfig, type DeliveryConfig } from "./config.ts";
export { startDeliveryService, type DeliveryOverrides, type DeliveryService } from "./service.ts";
