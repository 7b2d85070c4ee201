export { readGatewayConfig, type GatewayConfig } from "./config.ts";
export { startGateway, type Gateway, type GatewayOverrides } from "./service.ts";
