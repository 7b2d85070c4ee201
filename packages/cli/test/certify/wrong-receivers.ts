import { buffer } from "node:stream/consumers";
import { webhook, type Behaviour, type Event, type Headers } from "./start-receiver.ts";

/** A fault of a receiver, the cases that find it, and what they say. */
export type WrongReceiver = [fault: string, behaviour: Behaviour, cases: string[], advice: RegExp];

const parse = (body: string) => JSON.parse(body) as Event;
const known = new Set(["response.completed", "webhook.test"]);

/** Throws unless the signature fits, however old. */
function verifySignature(body: string, headers: Headers): Event {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const signature = webhook.sign(headers["webhook-id"]!, at, body);
  if (!headers["webhook-signature"]!.split(" ").includes(signature)) throw new Error("no signature fits");
  return parse(body);
}

const ageOf = (headers: Headers) => Date.now() / 1000 - Number(headers["webhook-timestamp"]);

function refuseAged(isRefused: (seconds: number) => boolean): Behaviour {
  return {
    verify(body, headers) {
      if (isRefused(ageOf(headers))) throw new Error("the time is off");
      return verifySignature(body, headers);
    },
  };
}

const answering = (statusOf: (event: Event, headers: Headers) => number): Behaviour => ({
  answer: (event, headers, response) => response.writeHead(statusOf(event, headers)).end(),
});

function countingDuplicates(): Behaviour {
  const seen = new Set<string>();
  return answering((_event, { "webhook-id": id = "" }) => (seen.size === seen.add(id).size ? 409 : 204));
}

/** Answers 429 to more events than these, until a request breaks off. */
function limitingTo(most: number): Behaviour {
  let taken = 0;
  return { ...answering(() => ((taken += 1) > most ? 429 : 204)), broken: () => void (taken = 0) };
}

function neverAnswering(): Behaviour {
  const timeUp = new AbortController();
  return { timeUp, answer: () => timeUp.abort() };
}

export const wrongReceivers: WrongReceiver[] = [
  ["accepts forged ones", { verify: parse }, ["forged"], /answer 400 when none fits \(contract 8\.7\)\.$/],
  ["refuses with 500", { refuse: (response) => response.writeHead(500).end() }, ["forged"], /500 tells/],
  ["refuses with 410", { refuse: (response) => response.writeHead(410).end() }, ["forged"], /410 .* \(contract 8\.5\)/],
  [
    "trusts bodies of 1970",
    { verify: (body, headers) => (body.includes("1970") ? parse(body) : webhook.verify(body, headers)) },
    ["tampered"],
    /over the body/,
  ],
  ["ignores the timestamp", { verify: verifySignature }, ["stale", "future"], /five minutes ago/],
  ["ignores old timestamps", refuseAged((seconds) => seconds < -300), ["stale"], /five minutes ago/],
  ["ignores future timestamps", refuseAged((seconds) => seconds > 300), ["future"], /five minutes ahead/],
  [
    "does not ask for an id",
    { verify: (body, headers) => (headers["webhook-id"] ? webhook.verify(body, headers) : parse(body)) },
    ["missing-headers"],
    /lacks one of webhook-id/,
  ],
  [
    "writes the body again before it verifies",
    { verify: (body, headers) => webhook.verify(JSON.stringify(JSON.parse(body)), headers) },
    ["raw-body"],
    /bytes as they arrived/,
  ],
  ["answers 500 to unknown types", answering(({ type }) => (known.has(type) ? 204 : 500)), ["unknown-type"], /8\.6/],
  ["answers 404 to tests", answering(({ type }) => (type === "webhook.test" ? 404 : 204)), ["webhook.test"], /8\.1/],
  [
    "knows its fields only",
    answering(({ data }) => (Object.keys(data).length > 4 ? 400 : 204)),
    ["unknown-fields"],
    /Ignore fields/,
  ],
  [
    "takes small bodies only",
    {
      async read(request) {
        const body = await buffer(request);
        return body.length > 16_384 ? Buffer.alloc(0) : body;
      },
      refuse: (response) => response.writeHead(413).end("too large"),
    },
    ["large"],
    /64 KiB/,
  ],
  ["never answers", neverAnswering(), ["deadline"], /answer within 10 seconds/],
  [
    "redirects",
    { answer: (_event, _headers, response) => response.writeHead(308, { location: "/other" }).end() },
    ["redirect"],
    /redirects are not followed/,
  ],
  ["answers 410", answering(() => 410), ["good"], /disables the webhook/],
  ["has another secret", { verify: () => webhook.verify("{}", {}) }, ["good"], /this webhook's secret/],
  [
    "answers much",
    { answer: (_event, _headers, response) => response.end(Buffer.alloc(70_000, "x")) },
    ["short-answer"],
    /64 KiB/,
  ],
  ["answers 409 to duplicates", countingDuplicates(), ["duplicate"], /that you have/],
  [
    "takes the first signature only",
    {
      verify: (body, { "webhook-signature": both = "", ...headers }) =>
        webhook.verify(body, { ...headers, "webhook-signature": both.split(" ")[0]! }),
    },
    ["two-signatures"],
    /any entry/,
  ],
  [
    "judges the age by the body",
    answering(({ timestamp }) => (Date.now() - Date.parse(timestamp) > 86_400_000 ? 400 : 204)),
    ["late"],
    /time of the attempt/,
  ],
  ["does not know traceparent", answering((_event, { traceparent }) => (traceparent ? 400 : 204)), ["traced"], /8\.6/],
  [
    "reads the first chunk of small bodies",
    {
      async read(request, headers) {
        if (Number(headers["content-length"]) > 1_000) return buffer(request);
        for await (const chunk of request) return chunk;
        throw new Error("no body");
      },
    },
    ["pieces"],
    /all content-length bytes/,
  ],
  ["limits the rate", limitingTo(20), ["burst"], /75 requests at once/],
  [
    "ends at a request that breaks off",
    {
      broken(server) {
        server.close();
        server.closeAllConnections();
      },
    },
    ["broken-off"],
    /Go on serving/,
  ],
];
