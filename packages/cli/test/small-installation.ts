import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function listenOn(port: number, handler: Handler): Promise<Server> {
  const take = async (request: IncomingMessage, response: ServerResponse) =>
    handler(request, response, await text(request));
  const server = createServer((request, response) => void take(request, response).catch(() => request.destroy()));
  await once(server.listen(port, "127.0.0.1"), "listening");
  return server;
}

async function end(server: Server): Promise<void> {
  const closed = once(server.close(), "close");
  server.closeAllConnections();
  await closed;
}

const meta = { timestamp: "2026-11-26T00:00:00.000Z", version: "1.0", requestId: "r-1" };
const refusal = (code: string, retryable: boolean) => ({
  success: false,
  error: { code, message: `It is ${code}.`, suggestion: "Think.", retryable, details: {} },
  meta,
});

/** An API with a feed and subscriptions, and a receiver: two real HTTP servers that a test can stop and start. */
export async function startSmallInstallation() {
  const folder = await mkdtemp(join(tmpdir(), "canvass-cli-"));
  const events: { id: string; type: string; timestamp: string; data: object; cursor: string }[] = [];
  let subscribed = 0;
  const subscriptions: { id: string; name: string; mode: string; status: string }[] = [];
  const received: { id: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const state = { valid: true, hookStatus: (_id: string): number => 204, onRequest: (_path: string) => {} };

  const api: Handler = (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url!, "http://api");
    state.onRequest(pathname);
    const send = (status: number, content: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
    const succeed = (data: unknown, pagination?: object) => send(200, { success: true, data, pagination, meta });
    if (!state.valid) return send(401, refusal("invalid_token", false));
    if (pathname === "/api/v1/tokens/scopes") return succeed({ scopes: {}, default_scopes: [] });
    if (pathname === "/api/v1/events") {
      const given = searchParams.get("cursor");
      const after = events.findIndex(({ cursor }) => cursor === given) + 1;
      if (given !== null && after === 0) return send(422, refusal("validation_failed", false));
      const page = events.slice(after, after + Number(searchParams.get("limit")));
      return succeed(page, { hasMore: after + page.length < events.length, cursor_next: page.at(-1)?.cursor ?? null });
    }
    if (request.method === "POST") {
      const made = {
        id: `s${(subscribed += 1)}`,
        mode: "pull",
        status: "active",
        ...(JSON.parse(body) as { name: string }),
      };
      subscriptions.push(made);
      return succeed(made);
    }
    if (request.method === "DELETE") {
      subscriptions.splice(0);
      return succeed({});
    }
    return succeed(subscriptions);
  };
  const hook: Handler = (request, response, body) => {
    const id = String(request.headers["webhook-id"]);
    received.push({ id, headers: request.headers, body });
    state.onRequest("hook");
    response.writeHead(state.hookStatus(id)).end();
  };

  const servers: Record<"api" | "hook", Server | undefined> = {
    api: await listenOn(0, api),
    hook: await listenOn(0, hook),
  };
  const ports = {
    api: (servers.api!.address() as AddressInfo).port,
    hook: (servers.hook!.address() as AddressInfo).port,
  };
  return {
    env: {
      CANVASS_URL: `http://127.0.0.1:${ports.api}`,
      CANVASS_TOKEN: "cvs_live_x",
      XDG_CONFIG_HOME: join(folder, "config"),
      XDG_STATE_HOME: join(folder, "state"),
    },
    folder,
    forward: `http://127.0.0.1:${ports.hook}/hook`,
    events,
    subscriptions,
    received,
    state,
    /** Makes so many events happen. */
    happen(count: number) {
      for (let made = 0; made < count; made++) {
        const id = `e${events.length}`;
        const data = { survey_id: "s", response_id: id, workspace_id: "w", completed_at: meta.timestamp };
        events.push({ id, type: "response.completed", timestamp: meta.timestamp, data, cursor: `c${events.length}` });
      }
    },
    async stop(name: "api" | "hook") {
      await end(servers[name]!);
      servers[name] = undefined;
    },
    async start(name: "api" | "hook") {
      servers[name] = await listenOn(ports[name], name === "api" ? api : hook);
    },
    async [Symbol.asyncDispose]() {
      for (const server of Object.values(servers)) if (server) await end(server);
      await rm(folder, { recursive: true });
    },
  };
}
