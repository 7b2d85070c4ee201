import { createApiClient, type ApiClient, type DemoSystem } from "../src/index.ts";

/**
 * A client of the demo's workspace with a token that the gateway has just looked up. Gateways cache identities for ten
 * seconds, so this client works that long without the token service; other clients may fail sooner.
 */
export async function clientWithCachedToken({ api, system }: DemoSystem): Promise<ApiClient & AsyncDisposable> {
  const { data } = await api.post("/tokens", { name: "just known", scopes: ["full_access", "events:write"] });
  const client = createApiClient(system.local.baseUrl, data.token);
  await client.get("/surveys");
  return client;
}
