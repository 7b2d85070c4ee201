export { readTokenConfig, type TokenConfig } from "./config.ts";
export { startTokenService, type TokenService } from "./service.ts";
