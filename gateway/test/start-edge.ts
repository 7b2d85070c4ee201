import { createLogger } from "@canvass/telemetry";
import { startGateway, type GatewayConfig, type GatewayOverrides } from "../src/index.ts";
import { readGatewayConfig } from "../src/config.ts";
import { peerKey, startFakeServices, type FakeServices, type RunningServices } from "./fake-services.ts";

export interface Edge extends AsyncDisposable {
  services: RunningServices;
  /** Includes the API's prefix. */
  baseUrl: string;
  url: string;
  opsUrl: string;
  /** Calls the API with a token of every scope, unless the headers contain another token. */
  call(path: string, init?: RequestInit & { token?: string | null }): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests read responses of every shape.
  body: any; // oxlint-disable-line typescript/no-explicit-any
}

/** Starts a gateway on a free port in front of service doubles. */
export async function startEdge(
  fakes: FakeServices = {},
  { config = {}, ...overrides }: GatewayOverrides & { config?: Partial<GatewayConfig> } = {},
): Promise<Edge> {
  const services = await startFakeServices(fakes);
  const gateway = await startGateway({ ...testConfig(services), ...config }, { log, ...thrifty, ...overrides });
  const { value } = services.issueToken(["full_access", "events:write"]);
  const baseUrl = `${gateway.url}/api/v1`;
  return {
    services,
    baseUrl,
    url: gateway.url,
    opsUrl: gateway.opsUrl,
    async call(path, { token = value, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (token !== null) headers.set("authorization", `Bearer ${token}`);
      if (typeof init.body === "string" && !headers.has("content-type"))
        headers.set("content-type", "application/json");
      return read(await fetch(baseUrl + path, { redirect: "manual", ...init, headers }));
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

/** Most tests do not read the document. */
const thrifty = { documentAtStart: false };
const log = createLogger({ service: "test", level: "silent", pretty: false });

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export function testConfig({ urls }: Pick<RunningServices, "urls">): GatewayConfig {
  return readGatewayConfig({
    CANVASS_HOST: "127.0.0.1",
    CANVASS_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: peerKey,
    ...Object.fromEntries(Object.entries(urls).map(([name, url]) => [`CANVASS_${name.toUpperCase()}_URL`, url])),
  });
}
