export { readTokenConfig, type TokenConfig } from "./config.ts";
export { startTokenService } from "./service.ts";
