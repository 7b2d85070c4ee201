import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { createLogger } from "@canvass/telemetry";
import { testNats, waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { publishNotice, connectBus, listenToNotices, newEvent } from "../src/index.ts";
import { silent } from "./event-path.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array) => new TextDecoder().decode(given);

test("a bus can be used before its server is there, and again after the server was away", async () => {
  await using nats = await testNats();
  await nats.stop();
  await using speaker = connectBus({ url: nats.url, name: "speaker", log: silent });
  await using listener = connectBus({ url: nats.url, name: "listener", log: silent });
  const heard: string[] = [];
  using _listening = listener.listen("t.>", (given) => heard.push(text(given)));
  speaker.notify("t.a", bytes("lost"));
  expect(speaker.connected).toBe(false);
  for (const word of ["first", "second"]) {
    await nats.start();
    await waitFor(
      () => {
        speaker.notify("t.a", bytes(word));
        return heard.includes(word);
      },
      { describe: `consuming the ${word} word` },
    );
    await nats.kill();
    await waitFor(() => !speaker.connected, { describe: "noticing that the server is gone" });
  }
  expect(heard).not.toContain("lost");
});

test("a queue group gets each message once, each plain listener gets it, and none gets any after it stopped", async () => {
  await using nats = await testNats();
  await using bus = connectBus({ url: nats.url, name: "one", log: silent });
  await using other = connectBus({ url: nats.url, name: "two", log: silent });
  const counts = { queue: 0, plain: 0, stopped: 0 };
  for (const each of [bus, other]) {
    each.listen("q", () => (counts.queue += 1), { queue: "g" });
    each.listen("q", () => (counts.plain += 1));
    // A listener that throws harms nobody.
    each.listen("q", () => Promise.reject(new Error("listener")));
    const stopped = each.listen("q", () => (counts.stopped += 1));
    stopped[Symbol.dispose]();
  }
  const signal = AbortSignal.timeout(60_000);
  for (const each of [bus, other]) await (await each.whenConnected(signal))!.flush();
  for (let sent = 0; sent < 100; sent += 1) bus.notify("q", bytes("x"));
  await waitFor(() => counts.plain === 200, { describe: "all plain messages" });
  expect(counts).toEqual({ queue: 100, plain: 200, stopped: 0 });
});

test("notices reach listeners", async () => {
  await using nats = await testNats();
  await using bus = connectBus({ url: nats.url.replace("nats://", ""), name: "one", log: silent });
  const heard: string[] = [];
  using _hearing = listenToNotices(bus, "token.revoked", ({ body }) => {
    if (body.case === "tokenRevoked") heard.push(body.value.tokenId);
  });
  await (await bus.whenConnected(AbortSignal.timeout(60_000)))!.flush();
  const body = { case: "tokenRevoked", value: { tokenId: "t1" } } as const;
  publishNotice(bus, newEvent({ workspaceId: "w", occurredAt: new Date(), body }));
  await waitFor(() => heard.length > 0, { describe: "the notice" });
  expect(heard).toEqual(["t1"]);
});

test("a bus whose server never comes is disposed at once", async () => {
  const bus = connectBus({ url: "nats://127.0.0.1:1", name: "lonely", log: silent });
  const waiting = bus.whenConnected(new AbortController().signal);
  await bus[Symbol.asyncDispose]();
  expect(await waiting).toBeUndefined();
});

test("an address that asks for TLS gets no clear text, also from a server that speaks nothing else", async () => {
  await using nats = await testNats();
  const lines: string[] = [];
  const log = createLogger({ service: "test", level: "info", destination: { write: (line) => lines.push(line) } });
  await using bus = connectBus({ url: nats.url.replace("nats:", "tls:"), name: "careful", log });
  await waitFor(() => lines.length > 0, { describe: "the refusal" });
  expect(lines.join()).toContain("the event bus is away");
  expect(bus.connected).toBe(false);
});

test("a bus is up only when the server has taken its subscriptions", async () => {
  const asked: string[] = [];
  const pongs: (() => void)[] = [];
  // A server that answers when it is told to.
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(`INFO {"server_id":"X","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n`);
    createInterface({ input: socket }).on("line", (line) => {
      asked.push(line.split(" ", 1)[0]!);
      if (line === "PING") pongs.push(() => socket.write("PONG\r\n"));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using bus = connectBus({ url, name: "listener", log: silent });
    bus.listen("t.a", () => undefined);
    await waitFor(() => pongs.length === 1, { describe: "the connection to be made" });
    pongs[0]!();
    await waitFor(() => pongs.length === 2, { describe: "the subscription to be sent" });
    expect(asked).toEqual(["CONNECT", "PING", "SUB", "PING"]);
    expect(bus.connected).toBe(false);
    pongs[1]!();
    await waitFor(() => bus.connected, { describe: "the bus to be up" });
    for (const pong of pongs) pong();
  } finally {
    server.close();
  }
});
