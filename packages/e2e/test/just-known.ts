import { createApiClient, type ApiClient, type DemoSystem } from "../src/index.ts";

/**
 * A client of the demo's workspace with a token that the gateway has looked up a moment ago. Identities are cached for ten
 * seconds: it can do without the token service for that long, and other clients for less.
 */
export async function justKnown({ api, system }: DemoSystem): Promise<ApiClient & AsyncDisposable> {
  const { data } = await api.post("/tokens", { name: "just known", scopes: ["full_access", "events:write"] });
  const client = createApiClient(system.local.baseUrl, data.token);
  await client.get("/surveys");
  return client;
}
