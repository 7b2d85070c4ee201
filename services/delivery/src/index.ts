export { readDeliveryConfig, type DeliveryConfig } from "./config.ts";
export { startDeliveryService, type DeliveryOverrides } from "./service.ts";
