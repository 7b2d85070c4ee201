import { testReceiver, type TestReceiver } from "@canvass/testing/https-receiver";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhookSender, type WebhookSender } from "../src/index.ts";
import { parseWebhookUrl } from "../src/webhook-url.ts";

/** What a hostile or careless name server answers. */
const names: Record<string, string[]> = {
  localhost: ["127.0.0.1", "::1"],
  "sub.localhost": ["127.0.0.1"],
  "localhost.localdomain": ["127.0.0.1"],
  "127.0.0.1.nip.example": ["127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  "metadata.goog": ["169.254.169.254"],
  "instance-data.ec2.internal": ["169.254.169.254"],
  "kubernetes.default.svc": ["10.96.0.1"],
  "host.docker.internal": ["192.168.65.254"],
  "mixed.example": ["93.184.216.34", "10.0.0.1"],
  "zoned.example": ["fe80::1%eth0"],
  "xn--mnchen-3ya.example": ["192.168.0.10"],
  "under_score.example": ["10.0.0.1"],
  "wildcard.example": ["0.0.0.0"],
  "public.example": ["93.184.216.34"],
};
const asked: string[] = [];
const resolve = async (host: string): Promise<string[]> => {
  asked.push(host);
  return names[host] ?? [];
};

let receiver: TestReceiver;
let webhooks: WebhookSender;
beforeAll(async () => {
  receiver = await testReceiver({ port: 0 });
  webhooks = createWebhookSender({ ports: [443, receiver.port], extraCa: receiver.ca, resolve, shareLookupsMs: 0 });
});
afterAll(async () => {
  await webhooks[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Refused by the form of the URL; by where its host leads; or led nowhere. `{port}` is one that the policy opens. */
const table: Record<"form" | "address" | "nowhere", string[]> = {
  form: [
    "http://public.example/",
    "HTTP://public.example/",
    "ftp://public.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "unix:/var/run/docker.sock",
    "blob:https://public.example/1",
    "//public.example/",
    "https:public.example",
    "https:///public.example",
    "https://user:pass@public.example/",
    "https://public.example@127.0.0.1/",
    "https://public.example:443@127.0.0.1/",
    "https://127.0.0.1:443%40public.example@10.0.0.1/",
    "https://public.example:0/",
    "https://@127.0.0.1/",
    "https://:@127.0.0.1/",
    "https://public.example\\@127.0.0.1/",
    "https://127.0.0.1\\.public.example/",
    "https://public.example\t.127.0.0.1/",
    "https://public.example/\r\nHost: 127.0.0.1",
    "https://127.0.0.1%00.public.example/",
    "https://127.0.0.1%09/",
    "https://[::1/",
    "https://::1/",
    "https://[::1]public.example/",
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/",
    "https://[::ffff:127.0.0.1%251]/",
    "https://[127.0.0.1]/",
    "https://[v1.fe80::a]/",
    "https://256.256.256.256/",
    "https://127.0.0.1.256/",
    "https://0x100000000/",
    "https://4294967296/",
    "https://0127.0.0.08/",
    "https://1.2.3.4.5/",
    "https://public.example:0x1bb/",
    "https://public.example:65536/",
    "https://public.example:-1/",
    "https://public.example:443:80/",
    "https://public.example:４４３/",
    "https:// /",
    "https://?/",
    `https://public.example/${"a".repeat(2100)}`,
    `https://${"a.".repeat(1200)}example/`,
  ],
  address: [
    "https://127.0.0.1:{port}/",
    "https://127.1:{port}/",
    "https://127.0.1:{port}/",
    "https://0177.0.0.1:{port}/",
    "https://017700000001:{port}/",
    "https://0x7f.0.0.1:{port}/",
    "https://0x7f000001:{port}/",
    "https://0X7F.1:{port}/",
    "https://2130706433:{port}/",
    "https://127.0.0.1.:{port}/",
    "https://%31%32%37.0.0.1:{port}/",
    "https://１２７.０.０.１:{port}/",
    "https://①②⑦.0.0.1:{port}/",
    "https://127。0。0。1:{port}/",
    "https://127．0．0．1:{port}/",
    "https://127｡0｡0｡1:{port}/",
    "https://0:{port}/",
    "https://0.0.0.0:{port}/",
    "https://[::1]:{port}/",
    "https://[0:0:0:0:0:0:0:1]:{port}/",
    "https://[::]:{port}/",
    "https://[::127.0.0.1]:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/",
    "https://[::FFFF:7F00:1]:{port}/",
    "https://[64:ff9b::127.0.0.1]:{port}/",
    "https://[2002:7f00:1::]:{port}/",
    "https://10.1.2.3/",
    "https://[2606:4700::5efe:127.0.0.1]:{port}/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://100.100.100.200/",
    "https://168.63.129.16/",
    "https://192.0.0.192/",
    "https://255.255.255.255/",
    "https://224.0.0.1/",
    "https://localhost:{port}/",
    "https://LOCALHOST.:{port}/",
    "https://ｌｏｃａｌｈｏｓｔ:{port}/",
    "https://ⓛocalhost:{port}/",
    "https://local\u00ADhost:{port}/",
    "https://local\u200Bhost:{port}/",
    "https://sub.localhost:{port}/",
    "https://localhost.localdomain:{port}/",
    "https://127.0.0.1.nip.example:{port}/",
    "https://metadata.google.internal/",
    "https://metadata.goog./",
    "https://instance-data.ec2.internal/",
    "https://kubernetes.default.svc/",
    "https://host.docker.internal/",
    "https://mixed.example/",
    "https://zoned.example/",
    "https://münchen.example/",
    "https://under_score.example/",
    "https://wildcard.example:{port}/",
    "https://public.example:22/",
    "https://public.example:25/?a=@127.0.0.1",
  ],
  nowhere: [
    "https://localhost..:{port}/",
    "https://.localhost:{port}/",
    "https://127.0.0.1..example/",
    "https://a..b/",
    "https://./",
    "https://../",
    "https://-.example/",
    "https://*.example/",
    "https://127-0-0-1/",
    "https://xn--a/",
    `https://${"a".repeat(64)}.example/`,
    `https://${"a.".repeat(200)}example/`,
  ],
};

const rows = Object.entries(table).flatMap(([where, urls]) => urls.map((url) => [where, url] as const));

test("the table is long enough to be worth its name", () => {
  expect(new Set(rows.map(([, url]) => url)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(100);
});

test.each(rows)("refused by its %s: %j", async (where, text) => {
  const url = text.replace("{port}", String(receiver.port));
  const parsed = parseWebhookUrl(url);
  expect("url" in parsed ? parsed.url.href : parsed.problems).toEqual(
    where === "form" ? expect.arrayContaining([expect.any(String)]) : expect.any(String),
  );
  if ("url" in parsed) {
    const { state } = await webhooks.checkDestination(parsed.url);
    expect(state).toBe(where === "address" ? "refused" : "unresolved");
  }
});

test("none of them is ever called, not even when it was registered by mistake", async () => {
  const before = receiver.connections;
  for (const [where, text] of rows) {
    const url = text.replace("{port}", String(receiver.port));
    // Where only a rule of registration is broken, the message would go to a public address.
    const host = URL.parse(url)?.hostname ?? "";
    if (names[host]?.every((address) => address === "93.184.216.34")) continue;
    const { outcome } = await webhooks.send({ url, webhookId: "e", timestamp: 1, body: "{}", secrets: [] });
    const expected = where === "address" ? ["blocked"] : ["blocked", "connection_error"];
    expect([url, expected]).toEqual([url, expect.arrayContaining([outcome])]);
  }
  expect(receiver.connections).toBe(before);
  // No spelling of an address reaches a name server.
  expect(asked.filter((name) => /^[\d.x]+$/i.test(name) && name.replaceAll(".", "") !== "")).toEqual([]);
});
